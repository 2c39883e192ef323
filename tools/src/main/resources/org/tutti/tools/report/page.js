'use strict';
/* Tooltips beside the pointer, which replace the slower ones of browsers. */
for (const plot of document.querySelectorAll('.plot')) {
  const tip = document.createElement('div');
  tip.className = 'tip';
  plot.append(tip);
  for (const column of plot.querySelectorAll('.column')) {
    const title = column.querySelector('title');
    const text = title.textContent;
    title.remove();
    const show = () => {
      const frame = plot.getBoundingClientRect(), here = column.querySelector('rect').getBoundingClientRect();
      const middle = (here.left + here.right) / 2 - frame.left;
      tip.textContent = text;
      tip.style.display = 'block';
      tip.style.left = Math.max(0, Math.min(middle - tip.offsetWidth / 2, frame.width - tip.offsetWidth)) + 'px';
      tip.style.bottom = (frame.bottom - here.top + 6) + 'px';
    };
    column.addEventListener('pointerenter', show);
    column.addEventListener('pointerdown', show);
    column.addEventListener('pointerleave', () => { tip.style.display = 'none'; });
  }
}
/* A select element shows one of its plots. */
for (const select of document.querySelectorAll('select')) {
  const show = () => {
    for (const plot of document.getElementById(select.dataset.plots).children) {
      plot.hidden = plot.dataset.value !== select.value;
    }
  };
  select.addEventListener('change', show);
  show();
}

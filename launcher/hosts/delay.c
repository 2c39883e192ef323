/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * delay NEAR FAR MICROSECONDS READY: creates the tap devices NEAR and FAR, and the file READY once they exist. Carries
 * each Ethernet frame from one to the other after a delay, in order, until it is killed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum
{
    /* Of waiting frames in one direction. More wait in the device's queue, and are dropped when that is full. */
    RING_BYTES = 16 << 20,
    /* A header of struct virtio_net_hdr, and what the kernel gives as one frame: up to 64 KiB and Ethernet's header. */
    MAX_LENGTH = 10 + 65536 + 18
};

struct frame
{
    long long due_ns;
    size_t length;
    unsigned char bytes[];
};

/*
 * A ring of the frames in one direction. A frame is contiguous: what does not fit before the end is stored at the start,
 * and used is then the end of the last frame before it.
 */
struct direction
{
    int from;
    int to;
    unsigned char *ring;
    size_t first;
    size_t next;
    size_t used;
};

static void fail(const char *what)
{
    fprintf(stderr, "delay: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int create_tap(const char *name)
{
    struct ifreq request;
    const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
    {
        fail("/dev/net/tun");
    }
    memset(&request, 0, sizeof(request));
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, TUNSETIFF, &request) != 0)
    {
        fail(name);
    }
    /* Frames before segmentation and checksums, as between hosts without a delay: 8 times the throughput. */
    if (ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0)
    {
        fail("TUNSETOFFLOAD");
    }
    return fd;
}

/* Where the next frame is to be stored, or NULL if the ring is full. */
static struct frame *reserve(struct direction *direction)
{
    const size_t most = sizeof(struct frame) + MAX_LENGTH;
    if (direction->next < direction->first)
    {
        return direction->first - direction->next > most ? (struct frame *)(direction->ring + direction->next) : NULL;
    }
    if (RING_BYTES - direction->next < most)
    {
        if (direction->first <= most)
        {
            return NULL;
        }
        direction->used = direction->next;
        direction->next = 0;
    }
    return (struct frame *)(direction->ring + direction->next);
}

/* Returns whether there is space for more frames. */
static int receive(struct direction *direction, long long delay_ns)
{
    struct frame *frame;
    while ((frame = reserve(direction)) != NULL)
    {
        const ssize_t length = read(direction->from, frame->bytes, MAX_LENGTH);
        if (length <= 0)
        {
            return 1;
        }
        frame->due_ns = now_ns() + delay_ns;
        frame->length = (size_t)length;
        /* Aligned for the next frame's time. */
        direction->next += (sizeof(struct frame) + frame->length + 7) & ~(size_t)7;
    }
    return 0;
}

/* Sends the frames that are due. Returns the time until the next one, or a long time. */
static long long send_due(struct direction *direction)
{
    while (direction->first != direction->next)
    {
        const struct frame *frame;
        long long left_ns;
        if (direction->first > direction->next && direction->first == direction->used)
        {
            direction->first = 0;
            continue;
        }
        frame = (const struct frame *)(direction->ring + direction->first);
        left_ns = frame->due_ns - now_ns();
        if (left_ns > 0)
        {
            return left_ns;
        }
        if (write(direction->to, frame->bytes, frame->length) < 0)
        {
            /* The device is down: the frame is lost, as on a cable. */
        }
        direction->first += (sizeof(struct frame) + frame->length + 7) & ~(size_t)7;
    }
    return 1000000000LL;
}

int main(int argc, char **argv)
{
    struct direction directions[2];
    struct sched_param priority = {0};
    int taps[2];
    long long delay_ns;
    int i;
    if (argc != 5)
    {
        fprintf(stderr, "usage: delay NEAR FAR MICROSECONDS READY\n");
        return 2;
    }
    delay_ns = atoll(argv[3]) * 1000;
    for (i = 0; i < 2; i++)
    {
        taps[i] = create_tap(argv[1 + i]);
    }
    for (i = 0; i < 2; i++)
    {
        directions[i].from = taps[i];
        directions[i].to = taps[1 - i];
        directions[i].first = 0;
        directions[i].next = 0;
        directions[i].used = 0;
        directions[i].ring = malloc(RING_BYTES);
        if (directions[i].ring == NULL)
        {
            fail("memory for frames");
        }
    }
    /* Without this, the kernel may wake the process 50 us late. */
    prctl(PR_SET_TIMERSLACK, 1UL);
    /* A cable does not wait for a core. Where this is not permitted, delays vary more. */
    priority.sched_priority = 1;
    (void)sched_setscheduler(0, SCHED_FIFO, &priority);
    if (close(open(argv[4], O_CREAT | O_WRONLY, 0600)) != 0)
    {
        fail(argv[4]);
    }
    for (;;)
    {
        struct pollfd polled[2];
        struct timespec wait;
        long long wait_ns = 1000000000LL;
        for (i = 0; i < 2; i++)
        {
            const int space = receive(&directions[i], delay_ns);
            const long long next_ns = send_due(&directions[i]);
            wait_ns = next_ns < wait_ns ? next_ns : wait_ns;
            polled[i].fd = directions[i].from;
            polled[i].events = space ? POLLIN : 0;
        }
        wait.tv_sec = wait_ns / 1000000000LL;
        wait.tv_nsec = wait_ns % 1000000000LL;
        ppoll(polled, 2, &wait, NULL);
    }
}

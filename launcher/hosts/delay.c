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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum
{
    /* More wait in the device's queue, and are dropped when that is full. */
    MAX_FRAMES = 1 << 14,
    /* An Ethernet header, a VLAN tag and 9000 bytes. */
    MAX_LENGTH = 9018
};

struct frame
{
    long long due_ns;
    ssize_t length;
    unsigned char bytes[MAX_LENGTH];
};

/* A ring of the frames in one direction. */
struct direction
{
    int from;
    int to;
    struct frame *frames;
    unsigned first;
    unsigned count;
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
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, TUNSETIFF, &request) != 0)
    {
        fail(name);
    }
    return fd;
}

static void receive(struct direction *direction, long long delay_ns)
{
    while (direction->count < MAX_FRAMES)
    {
        struct frame *frame = &direction->frames[(direction->first + direction->count) % MAX_FRAMES];
        frame->length = read(direction->from, frame->bytes, MAX_LENGTH);
        if (frame->length <= 0)
        {
            return;
        }
        frame->due_ns = now_ns() + delay_ns;
        direction->count++;
    }
}

/* Sends the frames that are due. Returns the time until the next one, or a long time. */
static long long send_due(struct direction *direction)
{
    while (direction->count > 0)
    {
        const struct frame *frame = &direction->frames[direction->first];
        const long long left_ns = frame->due_ns - now_ns();
        if (left_ns > 0)
        {
            return left_ns;
        }
        if (write(direction->to, frame->bytes, frame->length) < 0)
        {
            /* The device is down: the frame is lost, as on a cable. */
        }
        direction->first = (direction->first + 1) % MAX_FRAMES;
        direction->count--;
    }
    return 1000000000LL;
}

int main(int argc, char **argv)
{
    struct direction directions[2];
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
        directions[i].count = 0;
        directions[i].frames = calloc(MAX_FRAMES, sizeof(struct frame));
        if (directions[i].frames == NULL)
        {
            fail("memory for frames");
        }
    }
    /* Without this, the kernel may wake the process 50 us late. */
    prctl(PR_SET_TIMERSLACK, 1UL);
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
            long long next_ns;
            receive(&directions[i], delay_ns);
            next_ns = send_due(&directions[i]);
            wait_ns = next_ns < wait_ns ? next_ns : wait_ns;
            polled[i].fd = directions[i].from;
            polled[i].events = directions[i].count < MAX_FRAMES ? POLLIN : 0;
        }
        wait.tv_sec = wait_ns / 1000000000LL;
        wait.tv_nsec = wait_ns % 1000000000LL;
        ppoll(polled, 2, &wait, NULL);
    }
}

/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Device;

import java.net.InetAddress;

/** A device that is a network interface, and therefore chosen by its addresses before it is opened. */
public interface InterfaceDevice extends Device
{
    /**
     * The network interface.
     *
     * @return its properties when the devices were listed.
     */
    InterfaceDescription networkInterface();

    /**
     * The same interface at another one of its addresses.
     *
     * @param address address at which peers reach a context of the new device.
     * @return new device.
     */
    InterfaceDevice at(InetAddress address);

    /**
     * Describes the device without opening it. The port has no LID yet.
     *
     * @return the description; it has a problem if the interface has no address.
     */
    DeviceDescription describe();
}

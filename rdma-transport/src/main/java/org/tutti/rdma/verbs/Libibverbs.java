/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.NativeFunction;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/**
 * The functions that libibverbs exports, without the macros and inline functions of its header. Most return 0 or an
 * errno, or a pointer, which is 0 on failure, with {@link NativeFunction#errno()} set.
 */
final class Libibverbs
{
    static final String FILE_NAME = "libibverbs.so.1";

    private static final SymbolLookup LOOKUP = load();

    static final NativeFunction GET_DEVICE_LIST = pointer("ibv_get_device_list");
    static final NativeFunction FREE_DEVICE_LIST = status("ibv_free_device_list");
    static final NativeFunction GET_DEVICE_NAME = pointer("ibv_get_device_name");
    static final NativeFunction GET_DEVICE_GUID = pointer("ibv_get_device_guid");
    static final NativeFunction OPEN_DEVICE = pointer("ibv_open_device");
    static final NativeFunction CLOSE_DEVICE = status("ibv_close_device");
    static final NativeFunction QUERY_DEVICE = status("ibv_query_device");
    static final NativeFunction QUERY_PORT = status("ibv_query_port");
    static final NativeFunction QUERY_GID = status("ibv_query_gid");
    static final NativeFunction QUERY_PKEY = status("ibv_query_pkey");
    static final NativeFunction GET_ASYNC_EVENT = status("ibv_get_async_event");
    static final NativeFunction ACK_ASYNC_EVENT = status("ibv_ack_async_event");
    static final NativeFunction ALLOC_PD = pointer("ibv_alloc_pd");
    static final NativeFunction DEALLOC_PD = status("ibv_dealloc_pd");
    static final NativeFunction REG_MR = pointer("ibv_reg_mr");
    static final NativeFunction DEREG_MR = status("ibv_dereg_mr");
    static final NativeFunction CREATE_COMP_CHANNEL = pointer("ibv_create_comp_channel");
    static final NativeFunction DESTROY_COMP_CHANNEL = status("ibv_destroy_comp_channel");
    static final NativeFunction CREATE_CQ = pointer("ibv_create_cq");
    static final NativeFunction RESIZE_CQ = status("ibv_resize_cq");
    static final NativeFunction DESTROY_CQ = status("ibv_destroy_cq");
    static final NativeFunction CREATE_QP = pointer("ibv_create_qp");
    static final NativeFunction MODIFY_QP = status("ibv_modify_qp");
    static final NativeFunction QUERY_QP = status("ibv_query_qp");
    static final NativeFunction DESTROY_QP = status("ibv_destroy_qp");
    static final NativeFunction CREATE_SRQ = pointer("ibv_create_srq");
    static final NativeFunction MODIFY_SRQ = status("ibv_modify_srq");
    static final NativeFunction QUERY_SRQ = status("ibv_query_srq");
    static final NativeFunction DESTROY_SRQ = status("ibv_destroy_srq");
    static final NativeFunction CREATE_AH = pointer("ibv_create_ah");
    static final NativeFunction DESTROY_AH = status("ibv_destroy_ah");
    static final NativeFunction ATTACH_MCAST = status("ibv_attach_mcast");
    static final NativeFunction DETACH_MCAST = status("ibv_detach_mcast");

    /** Since rdma-core 28: drops optional flags that the kernel does not support. */
    static final NativeFunction REG_MR_IOVA2 = pointer("ibv_reg_mr_iova2");
    /** Since rdma-core 32: called by {@code ibv_query_gid_table} of the header. */
    static final NativeFunction QUERY_GID_TABLE = pointer("_ibv_query_gid_table");

    private Libibverbs()
    {
    }

    /**
     * Loads the library if it is not loaded yet.
     *
     * @throws RdmaException if it is not installed, or too old.
     */
    static void check()
    {
        if (LOOKUP == null)
        {
            throw new RdmaException(Errno.ENOENT, "dlopen", FILE_NAME + " is not installed; install the packages " +
                "libibverbs1 and ibverbs-providers (Debian, Ubuntu) or libibverbs (Fedora, RHEL), or use " +
                "another transport");
        }
        for (final NativeFunction function : new NativeFunction[]{RESIZE_CQ, QUERY_SRQ, ATTACH_MCAST, GET_DEVICE_LIST})
        {
            if (!function.isPresent())
            {
                throw new RdmaException(Errno.EOPNOTSUPP, "dlsym", FILE_NAME + " has no " + function.name() +
                    "; install rdma-core 17 or newer");
            }
        }
    }

    /**
     * The lookup of the library.
     *
     * @return the lookup, or null if it is not installed.
     */
    static SymbolLookup lookup()
    {
        return LOOKUP;
    }

    private static SymbolLookup load()
    {
        try
        {
            return SymbolLookup.libraryLookup(FILE_NAME, Arena.global());
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }

    private static NativeFunction pointer(final String name)
    {
        return NativeFunction.ofLong(LOOKUP, name);
    }

    private static NativeFunction status(final String name)
    {
        return NativeFunction.ofInt(LOOKUP, name);
    }
}

/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.AtomicCapability;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.PathMigrationState;
import org.tutti.rdma.PortState;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that flyweights and constants match {@code infiniband/verbs.h} of rdma-core on 64-bit Linux. */
class LayoutTest
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(256));

    /** The values of {@code offsetof} and {@code sizeof} with rdma-core 44 and gcc 12 on x86-64. */
    @Test
    void shouldMatchTheKnownOffsets()
    {
        assertAll(
            () -> assertEquals(0, ScatterGatherEntry.ADDRESS_OFFSET),
            () -> assertEquals(8, ScatterGatherEntry.LENGTH_OFFSET),
            () -> assertEquals(12, ScatterGatherEntry.LKEY_OFFSET),
            () -> assertEquals(16, ScatterGatherEntry.SIZE),
            () -> assertEquals(0, SendWorkRequest.WR_ID_OFFSET),
            () -> assertEquals(8, SendWorkRequest.NEXT_OFFSET),
            () -> assertEquals(16, SendWorkRequest.SG_LIST_OFFSET),
            () -> assertEquals(24, SendWorkRequest.NUM_SGE_OFFSET),
            () -> assertEquals(28, SendWorkRequest.OPCODE_OFFSET),
            () -> assertEquals(32, SendWorkRequest.SEND_FLAGS_OFFSET),
            () -> assertEquals(36, SendWorkRequest.IMM_DATA_OFFSET),
            () -> assertEquals(40, SendWorkRequest.REMOTE_ADDRESS_OFFSET),
            () -> assertEquals(48, SendWorkRequest.RDMA_RKEY_OFFSET),
            () -> assertEquals(48, SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET),
            () -> assertEquals(56, SendWorkRequest.ATOMIC_SWAP_OFFSET),
            () -> assertEquals(64, SendWorkRequest.ATOMIC_RKEY_OFFSET),
            () -> assertEquals(40, SendWorkRequest.UD_AH_OFFSET),
            () -> assertEquals(48, SendWorkRequest.UD_REMOTE_QPN_OFFSET),
            () -> assertEquals(52, SendWorkRequest.UD_REMOTE_QKEY_OFFSET),
            () -> assertEquals(128, SendWorkRequest.SIZE),
            () -> assertEquals(0, ReceiveWorkRequest.WR_ID_OFFSET),
            () -> assertEquals(8, ReceiveWorkRequest.NEXT_OFFSET),
            () -> assertEquals(16, ReceiveWorkRequest.SG_LIST_OFFSET),
            () -> assertEquals(24, ReceiveWorkRequest.NUM_SGE_OFFSET),
            () -> assertEquals(32, ReceiveWorkRequest.SIZE),
            () -> assertEquals(0, WorkCompletion.WR_ID_OFFSET),
            () -> assertEquals(8, WorkCompletion.STATUS_OFFSET),
            () -> assertEquals(12, WorkCompletion.OPCODE_OFFSET),
            () -> assertEquals(16, WorkCompletion.VENDOR_ERR_OFFSET),
            () -> assertEquals(20, WorkCompletion.BYTE_LEN_OFFSET),
            () -> assertEquals(24, WorkCompletion.IMM_DATA_OFFSET),
            () -> assertEquals(28, WorkCompletion.QP_NUM_OFFSET),
            () -> assertEquals(32, WorkCompletion.SRC_QP_OFFSET),
            () -> assertEquals(36, WorkCompletion.WC_FLAGS_OFFSET),
            () -> assertEquals(48, WorkCompletion.SIZE));
    }

    @Test
    void shouldMatchTheInstalledHeaders(@TempDir final Path directory) throws Exception
    {
        final Map<String, Long> expected = new LinkedHashMap<>();
        javaSide().forEach((expression, value) -> expected.put(expression, value.longValue()));
        final Map<String, Long> actual = Headers.evaluate(directory, expected.keySet());
        assertEquals(expected, actual);
    }

    @Test
    void shouldEncodeSendRequests()
    {
        final SendWorkRequest request = new SendWorkRequest().wrap(buffer, 64).clear()
            .wrId(0x0102030405060708L).next(0x1112131415161718L).sgList(0x2122232425262728L, 3)
            .opcode(SendOpcode.RDMA_WRITE_WITH_IMM).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
            .immData(0xA1A2A3A4).rdma(0x3132333435363738L, 0x41424344);

        assertEquals("0807060504030201" + "1817161514131211" + "2827262524232221" + "03000000" + "01000000" +
            "0a000000" + "a1a2a3a4" + "3837363534333231" + "44434241" + "00000000", hex(64, 56));
        assertEquals(0x0102030405060708L, request.wrId());
        assertEquals(0x1112131415161718L, request.next());
        assertEquals(0x2122232425262728L, request.sgListAddress());
        assertEquals(3, request.numSge());
        assertEquals(SendOpcode.RDMA_WRITE_WITH_IMM, request.opcode());
        assertEquals(SendFlags.SIGNALED | SendFlags.INLINE, request.sendFlags());
        assertEquals(0xA1A2A3A4, request.immData());
        assertEquals(0x3132333435363738L, request.remoteAddress());
        assertEquals(0x41424344, request.rdmaRkey());
        assertEquals(buffer.addressOffset() + 64, request.nativeAddress());
    }

    @Test
    void shouldEncodeAtomicsAndDatagrams()
    {
        final SendWorkRequest request = new SendWorkRequest().wrap(buffer, 0).clear();

        request.atomic(0x0102030405060708L, 0x11121314, 0x2122232425262728L, 0x3132333435363738L);
        assertEquals("0807060504030201" + "2827262524232221" + "3837363534333231" + "14131211", hex(40, 28));

        request.clear().datagram(0x0102030405060708L, 0x112233, 0x44556677);
        assertEquals("0807060504030201" + "33221100" + "77665544", hex(40, 16));
    }

    @Test
    void shouldEncodeReceiveRequestsAndEntries()
    {
        final ReceiveWorkRequest request = new ReceiveWorkRequest().wrap(buffer, 0).clear()
            .wrId(0x0102030405060708L).next(0x1112131415161718L).sgList(0x2122232425262728L, 2);
        final ScatterGatherEntry entry =
            new ScatterGatherEntry().wrap(buffer, 32).set(0x3132333435363738L, 0x51525354, 0x61626364);

        assertEquals("0807060504030201" + "1817161514131211" + "2827262524232221" + "02000000" + "00000000" +
            "3837363534333231" + "54535251" + "64636261", hex(0, 48));
        assertEquals(0x0102030405060708L, request.wrId());
        assertEquals(0x1112131415161718L, request.next());
        assertEquals(0x2122232425262728L, request.sgListAddress());
        assertEquals(2, request.numSge());
        assertEquals(0x3132333435363738L, entry.address());
        assertEquals(0x51525354, entry.length());
        assertEquals(0x61626364, entry.lkey());
    }

    @Test
    void shouldDecodeCompletions()
    {
        final String bytes = "0807060504030201" + "0b000000" + "81000000" + "14131211" + "24232221" + "a1a2a3a4" +
            "33221100" + "66554400" + "02000000" + "00000000" + "00000000";
        buffer.putBytes(0, HexFormat.of().parseHex(bytes));
        final WorkCompletion completion = new WorkCompletion().wrap(buffer, 0);

        assertEquals(0x0102030405060708L, completion.wrId());
        assertEquals(WorkCompletionStatus.REM_OP_ERR, completion.status());
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, completion.opcode());
        assertEquals(0x11121314, completion.vendorErr());
        assertEquals(0x21222324, completion.byteLength());
        assertEquals(0xA1A2A3A4, completion.immData());
        assertEquals(0x112233, completion.qpNum());
        assertEquals(0x445566, completion.srcQp());
        assertEquals(CompletionFlags.WITH_IMM, completion.wcFlags());
        assertTrue(!completion.isSuccess());
    }

    @Test
    void shouldRejectBufferWhenTooShort()
    {
        assertThrows(IndexOutOfBoundsException.class, () -> new SendWorkRequest().wrap(buffer, 129));
        assertThrows(IndexOutOfBoundsException.class, () -> new ReceiveWorkRequest().wrap(buffer, 225));
        assertThrows(IndexOutOfBoundsException.class, () -> new ScatterGatherEntry().wrap(buffer, 241));
        assertThrows(IndexOutOfBoundsException.class, () -> new WorkCompletion().wrap(buffer, -1));
    }

    private static Map<String, Integer> javaSide()
    {
        final Map<String, Integer> values = new LinkedHashMap<>();
        values.put("sizeof(struct ibv_sge)", ScatterGatherEntry.SIZE);
        values.put("offsetof(struct ibv_sge, addr)", ScatterGatherEntry.ADDRESS_OFFSET);
        values.put("offsetof(struct ibv_sge, length)", ScatterGatherEntry.LENGTH_OFFSET);
        values.put("offsetof(struct ibv_sge, lkey)", ScatterGatherEntry.LKEY_OFFSET);
        values.put("sizeof(struct ibv_send_wr)", SendWorkRequest.SIZE);
        values.put("offsetof(struct ibv_send_wr, wr_id)", SendWorkRequest.WR_ID_OFFSET);
        values.put("offsetof(struct ibv_send_wr, next)", SendWorkRequest.NEXT_OFFSET);
        values.put("offsetof(struct ibv_send_wr, sg_list)", SendWorkRequest.SG_LIST_OFFSET);
        values.put("offsetof(struct ibv_send_wr, num_sge)", SendWorkRequest.NUM_SGE_OFFSET);
        values.put("offsetof(struct ibv_send_wr, opcode)", SendWorkRequest.OPCODE_OFFSET);
        values.put("offsetof(struct ibv_send_wr, send_flags)", SendWorkRequest.SEND_FLAGS_OFFSET);
        values.put("offsetof(struct ibv_send_wr, imm_data)", SendWorkRequest.IMM_DATA_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.rdma.remote_addr)", SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.rdma.rkey)", SendWorkRequest.RDMA_RKEY_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.atomic.compare_add)", SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.atomic.swap)", SendWorkRequest.ATOMIC_SWAP_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.atomic.rkey)", SendWorkRequest.ATOMIC_RKEY_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.ud.ah)", SendWorkRequest.UD_AH_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.ud.remote_qpn)", SendWorkRequest.UD_REMOTE_QPN_OFFSET);
        values.put("offsetof(struct ibv_send_wr, wr.ud.remote_qkey)", SendWorkRequest.UD_REMOTE_QKEY_OFFSET);
        values.put("sizeof(struct ibv_recv_wr)", ReceiveWorkRequest.SIZE);
        values.put("offsetof(struct ibv_recv_wr, wr_id)", ReceiveWorkRequest.WR_ID_OFFSET);
        values.put("offsetof(struct ibv_recv_wr, next)", ReceiveWorkRequest.NEXT_OFFSET);
        values.put("offsetof(struct ibv_recv_wr, sg_list)", ReceiveWorkRequest.SG_LIST_OFFSET);
        values.put("offsetof(struct ibv_recv_wr, num_sge)", ReceiveWorkRequest.NUM_SGE_OFFSET);
        values.put("sizeof(struct ibv_wc)", WorkCompletion.SIZE);
        values.put("offsetof(struct ibv_wc, wr_id)", WorkCompletion.WR_ID_OFFSET);
        values.put("offsetof(struct ibv_wc, status)", WorkCompletion.STATUS_OFFSET);
        values.put("offsetof(struct ibv_wc, opcode)", WorkCompletion.OPCODE_OFFSET);
        values.put("offsetof(struct ibv_wc, vendor_err)", WorkCompletion.VENDOR_ERR_OFFSET);
        values.put("offsetof(struct ibv_wc, byte_len)", WorkCompletion.BYTE_LEN_OFFSET);
        values.put("offsetof(struct ibv_wc, imm_data)", WorkCompletion.IMM_DATA_OFFSET);
        values.put("offsetof(struct ibv_wc, qp_num)", WorkCompletion.QP_NUM_OFFSET);
        values.put("offsetof(struct ibv_wc, src_qp)", WorkCompletion.SRC_QP_OFFSET);
        values.put("offsetof(struct ibv_wc, wc_flags)", WorkCompletion.WC_FLAGS_OFFSET);
        putEnums(values);
        return values;
    }

    private static void putEnums(final Map<String, Integer> values)
    {
        values.put("IBV_WR_RDMA_WRITE", SendOpcode.RDMA_WRITE);
        values.put("IBV_WR_RDMA_WRITE_WITH_IMM", SendOpcode.RDMA_WRITE_WITH_IMM);
        values.put("IBV_WR_SEND", SendOpcode.SEND);
        values.put("IBV_WR_SEND_WITH_IMM", SendOpcode.SEND_WITH_IMM);
        values.put("IBV_WR_RDMA_READ", SendOpcode.RDMA_READ);
        values.put("IBV_WR_ATOMIC_CMP_AND_SWP", SendOpcode.ATOMIC_CMP_AND_SWP);
        values.put("IBV_WR_ATOMIC_FETCH_AND_ADD", SendOpcode.ATOMIC_FETCH_AND_ADD);
        values.put("IBV_SEND_FENCE", SendFlags.FENCE);
        values.put("IBV_SEND_SIGNALED", SendFlags.SIGNALED);
        values.put("IBV_SEND_SOLICITED", SendFlags.SOLICITED);
        values.put("IBV_SEND_INLINE", SendFlags.INLINE);
        values.put("IBV_WC_SEND", CompletionOpcode.SEND);
        values.put("IBV_WC_RDMA_WRITE", CompletionOpcode.RDMA_WRITE);
        values.put("IBV_WC_RDMA_READ", CompletionOpcode.RDMA_READ);
        values.put("IBV_WC_COMP_SWAP", CompletionOpcode.COMP_SWAP);
        values.put("IBV_WC_FETCH_ADD", CompletionOpcode.FETCH_ADD);
        values.put("IBV_WC_RECV", CompletionOpcode.RECV);
        values.put("IBV_WC_RECV_RDMA_WITH_IMM", CompletionOpcode.RECV_RDMA_WITH_IMM);
        values.put("IBV_WC_GRH", CompletionFlags.GRH);
        values.put("IBV_WC_WITH_IMM", CompletionFlags.WITH_IMM);
        values.put("IBV_ACCESS_LOCAL_WRITE", AccessFlags.LOCAL_WRITE);
        values.put("IBV_ACCESS_REMOTE_WRITE", AccessFlags.REMOTE_WRITE);
        values.put("IBV_ACCESS_REMOTE_READ", AccessFlags.REMOTE_READ);
        values.put("IBV_ACCESS_REMOTE_ATOMIC", AccessFlags.REMOTE_ATOMIC);
        values.put("IBV_QP_STATE", QueuePairAttributeMask.STATE);
        values.put("IBV_QP_CUR_STATE", QueuePairAttributeMask.CUR_STATE);
        values.put("IBV_QP_EN_SQD_ASYNC_NOTIFY", QueuePairAttributeMask.EN_SQD_ASYNC_NOTIFY);
        values.put("IBV_QP_ACCESS_FLAGS", QueuePairAttributeMask.ACCESS_FLAGS);
        values.put("IBV_QP_PKEY_INDEX", QueuePairAttributeMask.PKEY_INDEX);
        values.put("IBV_QP_PORT", QueuePairAttributeMask.PORT);
        values.put("IBV_QP_QKEY", QueuePairAttributeMask.QKEY);
        values.put("IBV_QP_AV", QueuePairAttributeMask.AV);
        values.put("IBV_QP_PATH_MTU", QueuePairAttributeMask.PATH_MTU);
        values.put("IBV_QP_TIMEOUT", QueuePairAttributeMask.TIMEOUT);
        values.put("IBV_QP_RETRY_CNT", QueuePairAttributeMask.RETRY_CNT);
        values.put("IBV_QP_RNR_RETRY", QueuePairAttributeMask.RNR_RETRY);
        values.put("IBV_QP_RQ_PSN", QueuePairAttributeMask.RQ_PSN);
        values.put("IBV_QP_MAX_QP_RD_ATOMIC", QueuePairAttributeMask.MAX_QP_RD_ATOMIC);
        values.put("IBV_QP_MIN_RNR_TIMER", QueuePairAttributeMask.MIN_RNR_TIMER);
        values.put("IBV_QP_SQ_PSN", QueuePairAttributeMask.SQ_PSN);
        values.put("IBV_QP_MAX_DEST_RD_ATOMIC", QueuePairAttributeMask.MAX_DEST_RD_ATOMIC);
        values.put("IBV_QP_DEST_QPN", QueuePairAttributeMask.DEST_QPN);
        values.put("IBV_QPT_RC", QueuePairType.RC.value());
        values.put("IBV_QPT_UC", QueuePairType.UC.value());
        values.put("IBV_QPT_UD", QueuePairType.UD.value());
        putMore(values);
        for (final WorkCompletionStatus status : WorkCompletionStatus.values())
        {
            values.put("IBV_WC_" + status, status.ordinal());
        }
        for (final QueuePairState state : QueuePairState.values())
        {
            values.put("IBV_QPS_" + state, state.ordinal());
        }
        for (final PortState state : PortState.values())
        {
            values.put("IBV_PORT_" + state, state.ordinal());
        }
        for (final AsyncEventType type : AsyncEventType.values())
        {
            values.put("IBV_EVENT_" + type, type.ordinal());
        }
    }

    private static void putMore(final Map<String, Integer> values)
    {
        values.put("IBV_ACCESS_ZERO_BASED", AccessFlags.ZERO_BASED);
        values.put("IBV_ACCESS_ON_DEMAND", AccessFlags.ON_DEMAND);
        values.put("IBV_ACCESS_HUGETLB", AccessFlags.HUGE_PAGES);
        values.put("IBV_ACCESS_RELAXED_ORDERING", AccessFlags.RELAXED_ORDERING);
        values.put("IBV_QP_ALT_PATH", QueuePairAttributeMask.ALT_PATH);
        values.put("IBV_QP_PATH_MIG_STATE", QueuePairAttributeMask.PATH_MIG_STATE);
        values.put("IBV_QP_CAP", QueuePairAttributeMask.CAP);
        values.put("IBV_QP_RATE_LIMIT", QueuePairAttributeMask.RATE_LIMIT);
        for (final PathMigrationState state : PathMigrationState.values())
        {
            values.put("IBV_MIG_" + state, state.ordinal());
        }
        for (final AtomicCapability capability : AtomicCapability.values())
        {
            values.put("IBV_ATOMIC_" + (capability == AtomicCapability.GLOBAL ? "GLOB" : capability),
                capability.ordinal());
        }
        values.put("IBV_GID_TYPE_IB", GidType.INFINIBAND.ordinal());
        values.put("IBV_GID_TYPE_ROCE_V1", GidType.ROCE_V1.ordinal());
        values.put("IBV_GID_TYPE_ROCE_V2", GidType.ROCE_V2.ordinal());
        values.put("IBV_LINK_LAYER_UNSPECIFIED", LinkLayer.UNSPECIFIED.ordinal());
        values.put("IBV_LINK_LAYER_INFINIBAND", LinkLayer.INFINIBAND.ordinal());
        values.put("IBV_LINK_LAYER_ETHERNET", LinkLayer.ETHERNET.ordinal());
        // These convert only from the native value.
        for (int value = -1; value < 10; value++)
        {
            final NodeType nodeType = NodeType.of(value);
            if (value == -1 || nodeType != NodeType.UNKNOWN)
            {
                values.put("IBV_NODE_" + nodeType, value);
            }
            final TransportType transportType = TransportType.of(value);
            if (value == -1 || transportType != TransportType.UNKNOWN)
            {
                values.put("IBV_TRANSPORT_" + (transportType == TransportType.INFINIBAND ? "IB" : transportType),
                    value);
            }
        }
    }

    private String hex(final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return HexFormat.of().formatHex(bytes);
    }
}

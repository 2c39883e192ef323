/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.LinkRate;
import org.tutti.rdma.select.PortDescription;

/**
 * Attributes of devices and ports, by the field names of libibverbs. Values are numbers, strings and lists of strings;
 * hexadecimal values, such as GUIDs and most bit masks, are strings.
 */
final class Attributes
{
    /** Names of {@code device_cap_flags}, by bit; "" for a bit without a name. */
    private static final String[] CAPABILITIES = {
        "RESIZE_MAX_WR", "BAD_PKEY_CNTR", "BAD_QKEY_CNTR", "RAW_MULTI", "AUTO_PATH_MIG", "CHANGE_PHY_PORT",
        "UD_AV_PORT_ENFORCE", "CURR_QP_STATE_MOD", "SHUTDOWN_PORT", "INIT_TYPE", "PORT_ACTIVE_EVENT", "SYS_IMAGE_GUID",
        "RC_RNR_NAK_GEN", "SRQ_RESIZE", "N_NOTIFY_CQ", "", "", "MEM_WINDOW", "UD_IP_CSUM", "", "XRC",
        "MEM_MGT_EXTENSIONS", "", "MEM_WINDOW_TYPE_2A", "MEM_WINDOW_TYPE_2B", "RC_IP_CSUM", "RAW_IP_CSUM", "", "",
        "MANAGED_FLOW_STEERING", "", ""};

    /** Names of {@code phys_state}, by value from 0. */
    private static final String[] PHYSICAL_STATES = {
        "NO_STATE_CHANGE", "SLEEP", "POLLING", "DISABLED", "PORT_CONFIGURATION_TRAINING", "LINK_UP",
        "LINK_ERROR_RECOVERY", "PHY_TEST"};

    private Attributes()
    {
    }

    /** Attributes of a device, whose query must have succeeded, and the settings that apply to it. */
    static Map<String, Object> of(final DeviceDescription device)
    {
        final DeviceAttributes attributes = device.attributes();
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("node_type", device.device().nodeType().toString());
        all.put("transport", device.device().transportType().toString());
        all.put("fw_ver", attributes.firmwareVersion);
        all.put("node_guid", guid(attributes.nodeGuid));
        all.put("sys_image_guid", guid(attributes.systemImageGuid));
        all.put("vendor_id", "0x%04x".formatted(attributes.vendorId));
        all.put("vendor_part_id", attributes.vendorPartId);
        all.put("hw_ver", "0x%X".formatted(attributes.hardwareVersion));
        all.put("phys_port_cnt", attributes.physicalPorts);
        all.put("max_mr_size", "0x%x".formatted(attributes.maxMemoryRegionLength));
        all.put("page_size_cap", "0x%x".formatted(attributes.pageSizes));
        all.put("max_qp", attributes.maxQueuePairs);
        all.put("max_qp_wr", attributes.maxWorkRequests);
        all.put("device_cap_flags", capabilities(attributes.capabilityFlags));
        all.put("max_sge", attributes.maxSge);
        all.put("max_sge_rd", attributes.maxSgeRead);
        all.put("max_inline_data", attributes.maxInlineData);
        all.put("max_cq", attributes.maxCompletionQueues);
        all.put("max_cqe", attributes.maxCqe);
        all.put("max_mr", attributes.maxMemoryRegions);
        all.put("max_pd", attributes.maxProtectionDomains);
        all.put("max_qp_rd_atom", attributes.maxRdAtomic);
        all.put("max_res_rd_atom", attributes.maxResponderRdAtomic);
        all.put("max_qp_init_rd_atom", attributes.maxInitRdAtomic);
        all.put("atomic_cap", attributes.atomicCapability.toString());
        all.put("max_mw", attributes.maxMemoryWindows);
        all.put("max_raw_ethy_qp", attributes.maxRawQueuePairs);
        all.put("max_mcast_grp", attributes.maxMulticastGroups);
        all.put("max_mcast_qp_attach", attributes.maxMulticastQueuePairs);
        all.put("max_total_mcast_qp_attach", attributes.maxMulticastAttachments);
        all.put("max_ah", attributes.maxAddressHandles);
        all.put("max_srq", attributes.maxSharedReceiveQueues);
        all.put("max_srq_wr", attributes.maxSharedWorkRequests);
        all.put("max_srq_sge", attributes.maxSharedSge);
        all.put("max_pkeys", attributes.maxPkeys);
        all.put("local_ca_ack_delay", attributes.localAckDelay);
        all.put("odp", attributes.onDemandPaging);
        all.put("num_comp_vectors", device.completionVectors());
        all.putAll(device.device().settings());
        return all;
    }

    static Map<String, Object> of(final PortDescription port)
    {
        final PortAttributes attributes = port.attributes();
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("state", attributes.state.toString());
        all.put("max_mtu", attributes.maxMtu);
        all.put("active_mtu", attributes.activeMtu);
        all.put("sm_lid", attributes.subnetManagerLid);
        all.put("port_lid", attributes.lid);
        all.put("port_lmc", attributes.lidMaskControl);
        all.put("link_layer", attributes.linkLayer.toString());
        all.put("max_msg_sz", attributes.maxMessageSize);
        all.put("port_cap_flags", "0x%08x".formatted(attributes.capabilityFlags));
        all.put("max_vl_num", attributes.maxVirtualLanes);
        all.put("bad_pkey_cntr", attributes.badPkeys);
        all.put("qkey_viol_cntr", attributes.qkeyViolations);
        all.put("sm_sl", attributes.subnetManagerServiceLevel);
        all.put("pkey_tbl_len", attributes.pkeyTableLength);
        all.put("gid_tbl_len", attributes.gidTableLength);
        all.put("subnet_timeout", attributes.subnetTimeout);
        all.put("init_type_reply", attributes.initTypeReply);
        final int lanes = LinkRate.lanes(attributes.activeWidth);
        final double gbit = LinkRate.gbitPerLane(attributes.activeSpeed);
        all.put("active_width", lanes == 0 ? "unknown" : lanes + "X");
        all.put("active_speed", gbit == 0 ? "unknown" : String.format(Locale.ROOT, "%.1f Gbps", gbit));
        all.put("rate_gbit", LinkRate.gbit(attributes));
        all.put("phys_state", physicalState(attributes.physicalState));
        return all;
    }

    /** Name of the network interface of a GID; empty if there is none, or none that this process can see. */
    static String networkInterface(final GidEntry entry)
    {
        try
        {
            final NetworkInterface found =
                entry.interfaceIndex() > 0 ? NetworkInterface.getByIndex(entry.interfaceIndex()) : null;
            return found == null ? "" : found.getName();
        }
        catch (final SocketException notSeen)
        {
            return "";
        }
    }

    private static String guid(final long guid)
    {
        return "%04x:%04x:%04x:%04x".formatted(
            guid >>> 48, guid >>> 32 & 0xFFFF, guid >>> 16 & 0xFFFF, guid & 0xFFFF);
    }

    private static List<String> capabilities(final int flags)
    {
        final List<String> names = new ArrayList<>();
        for (int bit = 0; bit < CAPABILITIES.length; bit++)
        {
            if ((flags >>> bit & 1) != 0)
            {
                names.add(CAPABILITIES[bit].isEmpty() ? "BIT_" + bit : CAPABILITIES[bit]);
            }
        }
        return names;
    }

    private static String physicalState(final int state)
    {
        return state >= 0 && state < PHYSICAL_STATES.length ? PHYSICAL_STATES[state] : Integer.toString(state);
    }
}

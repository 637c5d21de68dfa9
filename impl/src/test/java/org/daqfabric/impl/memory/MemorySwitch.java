package org.daqfabric.impl.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.memory.DeliveryQueue.Channel;
import org.daqfabric.impl.memory.DeliveryQueue.Protocol;

/** A bridge of a node, from when a configuration names it: the controller makes it a switch. */
final class MemorySwitch {
    /** The switches that it is and has been. */
    final Set<String> names = new TreeSet<>();
    long datapathId;
    final MemoryNode node;
    /** Name of its bridge. */
    final String bridgeName;
    Optional<Bridge> bridge = Optional.empty();
    /** What OVSDB must set up once it can be reached. */
    Optional<Bridge> desired = Optional.empty();
    /** What OVSDB must remove once it can be reached. */
    final Set<MarkedBridge> leaving = new TreeSet<>();
    Program program = Program.EMPTY;
    Program foreign = Program.EMPTY;
    /** Over OpenFlow. */
    boolean connected;
    boolean killed;
    boolean frozen;
    /** Whether it may have lost rules and has not been read since. */
    boolean unread;
    int refusalsToCome;
    int failingReadsToCome;
    int failingTransactionsToCome;
    /** Bits that another program has set on its ports, by number. */
    final Map<Integer, Set<PortBit>> portBits = new HashMap<>();
    /** Packets in its daqrings, by port number. */
    final Map<Integer, Long> held = new HashMap<>();

    MemorySwitch(long datapathId, MemoryNode node, String bridgeName) {
        this.datapathId = datapathId;
        this.node = node;
        this.bridgeName = bridgeName;
    }

    boolean isHalted() {
        return killed || frozen;
    }

    Channel openFlow() {
        return new Channel(Protocol.OPENFLOW, key());
    }

    /** Tells it from all other bridges of the network. */
    String key() {
        return key(node.systemId, bridgeName);
    }

    static String key(String systemId, String bridge) {
        return systemId + "/" + bridge;
    }

    /** Why the switch refuses a change: because a test demands it, or because OpenFlow does. */
    Optional<String> refusal(Message message) {
        if (refusalsToCome > 0) {
            refusalsToCome--;
            return Optional.of("refused once");
        }
        Set<Integer> groups = program.groups().keySet();
        boolean possible = switch (message) {
            case Message.PutRule put -> put.rule().actions().stream().allMatch(action ->
                !(action instanceof Action.ToGroup group) || groups.contains(group.id()));
            case Message.AddGroup add -> !groups.contains(add.group().id());
            case Message.ModifyGroup modify -> groups.contains(modify.group().id());
            case Message.DeleteRule unused -> true;
            case Message.DeleteGroup unused -> true;
        };
        return possible ? Optional.empty() : Optional.of("refused");
    }
}

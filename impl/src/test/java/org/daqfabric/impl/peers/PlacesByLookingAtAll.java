package org.daqfabric.impl.peers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.daqfabric.impl.peers.Places.Limits;

/** Says which connections have to go by comparing all of them, in the words of {@link Places}. */
final class PlacesByLookingAtAll {
    private final List<Peer> peers = new ArrayList<>();
    private final Limits limits;
    private final Predicate<Integer> isWantedAddress;

    /** A connection; standing is 0 for a stranger, 1 for one with a name, 2 for a wanted one. */
    private record Peer(int number, int address, boolean dialled, int standing) {
    }

    PlacesByLookingAtAll(Limits limits, Predicate<Integer> isWantedAddress) {
        this.limits = limits;
        this.isWantedAddress = isWantedAddress;
    }

    List<Integer> arrived(int number, int address, boolean dialled) {
        Peer fresh = new Peer(number, address, dialled, 0);
        peers.add(fresh);
        List<Integer> refused = new ArrayList<>();
        if (!dialled && !isWantedAddress.test(address) && unwantedOf(address) > limits.ofAddress()) {
            refused.add(refuse(number, each -> each.address == address));
        }
        if (peers.stream().filter(each -> each.standing == 0).count() > limits.strangers()) {
            refused.add(refuse(number, each -> each.standing == 0));
        }
        if (peers.size() > limits.all()) {
            refused.add(refuse(number, each -> true));
        }
        return refused;
    }

    List<Integer> named(int number) {
        List<Integer> refused = new ArrayList<>();
        if (stand(number, 0, 1) && peers.stream().filter(each -> each.standing == 1).count() > limits.unwanted()) {
            refused.add(refuse(number, each -> each.standing == 1));
        }
        return refused;
    }

    void wanted(int number, boolean isWanted) {
        stand(number, isWanted ? 1 : 2, isWanted ? 2 : 1);
    }

    void ended(int number) {
        peers.removeIf(each -> each.number == number);
    }

    private boolean stand(int number, int from, int to) {
        return peers.stream().filter(each -> each.number == number && each.standing == from).findFirst()
            .map(each -> peers.set(peers.indexOf(each), new Peer(number, each.address, each.dialled, to))).isPresent();
    }

    private long unwantedOf(int address) {
        return peers.stream().filter(each -> each.address == address && each.standing < 2).count();
    }

    private boolean isExpected(Peer each) {
        return each.dialled
            || isWantedAddress.test(each.address) && unwantedOf(each.address) <= limits.preferred();
    }

    /** The one that came last goes only where no other comes as soon. */
    private int refuse(int last, Predicate<Peer> of) {
        int first = peers.stream().filter(each -> each.number == last || each.standing < 2 && of.test(each)).min(
            Comparator.comparing(this::isExpected).thenComparing(each -> -unwantedOf(each.address))
                .thenComparing(Peer::standing).thenComparing(each -> each.number == last)
                .thenComparing(Peer::number)).orElseThrow().number;
        ended(first);
        return first;
    }
}

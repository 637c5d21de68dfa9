package org.daqfabric.impl.northbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Address;

/** The packed strings of {@code daqfabric-store.yang}. */
final class DecisionText {
    private DecisionText() {
    }

    static String path(Route route) {
        StringBuilder text = new StringBuilder();
        for (int plane : route.planes()) {
            SpineChoice choice = route.spines().get(plane);
            text.append(text.isEmpty() ? "" : " ").append(plane).append(':').append(choice.spine()).append('/')
                .append(choice.backup());
        }
        return text.toString();
    }

    static Route route(String path) {
        List<Integer> planes = new ArrayList<>();
        SortedMap<Integer, SpineChoice> spines = new TreeMap<>();
        for (String hop : words(path)) {
            String[] parts = hop.split("[:/]");
            int plane = Integer.parseInt(parts[0]);
            planes.add(plane);
            spines.put(plane, new SpineChoice(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
        }
        return new Route(planes, spines);
    }

    static String fromPods(SortedMap<Integer, Route> routes) {
        return routes.entrySet().stream().map(each -> (each.getKey() + " " + path(each.getValue())).trim())
            .collect(Collectors.joining("; "));
    }

    static SortedMap<Integer, Route> fromPods(String text) {
        SortedMap<Integer, Route> routes = new TreeMap<>();
        for (String each : text.split("; ")) {
            String[] parts = each.split(" ", 2);
            routes.put(Integer.parseInt(parts[0]), route(parts.length > 1 ? parts[1] : ""));
        }
        return routes;
    }

    static String addresses(Collection<Address> addresses) {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(" "));
    }

    static List<Address> addresses(String text) {
        return words(text).stream().map(Address::parse).toList();
    }

    static String numbers(SortedMap<String, Integer> numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach((port, number) -> text.append(text.isEmpty() ? "" : " ").append(port).append('=')
            .append(number));
        return text.toString();
    }

    static SortedMap<String, Integer> numbers(String text) {
        SortedMap<String, Integer> numbers = new TreeMap<>();
        for (String word : words(text)) {
            int equals = word.lastIndexOf('=');
            numbers.put(word.substring(0, equals), Integer.parseInt(word.substring(equals + 1)));
        }
        return numbers;
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }
}

package org.daqfabric.impl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Places the nodes of a graph without cycles in rows, users above what they use (after Sugiyama et al. 1981): longest
 * path from the top, a dummy node in each row that an edge passes, fewest crossings by barycentres, then coordinates.
 * The same graph gives the same layout.
 */
final class LayeredLayout {
    private static final int ROW_GAP = 36;
    private static final int GAP = 16;
    private static final int SWEEPS = 40;

    /** A node; {@code dummy} where only an edge passes. {@code x} is the centre, {@code y} the top. */
    static final class Node {
        final String name;
        final boolean dummy;
        final double width;
        final int row;
        final List<Node> above = new ArrayList<>();
        final List<Node> below = new ArrayList<>();
        double height;
        double x;
        double y;

        Node(String name, boolean dummy, double width, double height, int row) {
            this.name = name;
            this.dummy = dummy;
            this.width = width;
            this.height = height;
            this.row = row;
        }
    }

    final Map<String, Node> nodes = new TreeMap<>();
    /** Nodes of each edge from its user to what is used, with the dummies between. */
    final List<List<Node>> edges = new ArrayList<>();
    final double width;
    final double height;
    private final List<List<Node>> rows = new ArrayList<>();

    /** Sizes are {width, height} by name. */
    LayeredLayout(PackageGraph graph, Map<String, double[]> sizes) {
        Map<String, Integer> ranks = new HashMap<>();
        graph.uses().keySet().forEach(name -> rank(name, graph, ranks));
        graph.uses().keySet().forEach(name -> {
            double[] size = sizes.get(name);
            nodes.put(name, add(new Node(name, false, size[0], size[1], ranks.get(name))));
        });
        graph.uses().forEach((from, used) -> used.forEach(to -> connect(nodes.get(from), nodes.get(to))));
        order();
        spread();
        double left = nodes.values().stream().mapToDouble(node -> node.x - node.width / 2).min().orElse(0);
        double right = nodes.values().stream().mapToDouble(node -> node.x + node.width / 2).max().orElse(0);
        rows.forEach(row -> row.forEach(node -> node.x -= left));
        width = right - left;
        height = stack();
    }

    private static int rank(String name, PackageGraph graph, Map<String, Integer> ranks) {
        Integer known = ranks.get(name);
        if (known != null) {
            return known;
        }
        int rank = 0;
        for (Map.Entry<String, ? extends java.util.Set<String>> user : graph.uses().entrySet()) {
            if (user.getValue().contains(name)) {
                rank = Math.max(rank, rank(user.getKey(), graph, ranks) + 1);
            }
        }
        ranks.put(name, rank);
        return rank;
    }

    private Node add(Node node) {
        while (rows.size() <= node.row) {
            rows.add(new ArrayList<>());
        }
        rows.get(node.row).add(node);
        return node;
    }

    private void connect(Node from, Node to) {
        List<Node> edge = new ArrayList<>(List.of(from));
        for (int row = from.row + 1; row < to.row; row++) {
            edge.add(add(new Node(from.name + " " + to.name, true, 2, 0, row)));
        }
        edge.add(to);
        for (int i = 1; i < edge.size(); i++) {
            edge.get(i - 1).below.add(edge.get(i));
            edge.get(i).above.add(edge.get(i - 1));
        }
        edges.add(edge);
    }

    private void order() {
        List<List<Node>> best = copy();
        int fewest = crossings();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < rows.size(); i++) {
                List<Node> row = rows.get(down ? i : rows.size() - 1 - i);
                Map<Node, Double> barycentres = new HashMap<>();
                for (Node node : row) {
                    barycentres.put(node, (down ? node.above : node.below).stream()
                        .mapToInt(other -> rows.get(other.row).indexOf(other)).average()
                        .orElse(row.indexOf(node)));
                }
                row.sort(Comparator.comparing(barycentres::get)); // stable: ties keep their order
            }
            int now = crossings();
            if (now < fewest) {
                fewest = now;
                best = copy();
            }
        }
        rows.clear();
        rows.addAll(best);
    }

    private List<List<Node>> copy() {
        List<List<Node>> copy = new ArrayList<>();
        rows.forEach(row -> copy.add(new ArrayList<>(row)));
        return copy;
    }

    private int crossings() {
        int crossings = 0;
        for (int i = 1; i < rows.size(); i++) {
            List<int[]> lines = new ArrayList<>();
            for (Node upper : rows.get(i - 1)) {
                for (Node lower : upper.below) {
                    lines.add(new int[] {rows.get(i - 1).indexOf(upper), rows.get(i).indexOf(lower)});
                }
            }
            for (int[] one : lines) {
                for (int[] other : lines) {
                    crossings += one[0] < other[0] && one[1] > other[1] ? 1 : 0;
                }
            }
        }
        return crossings;
    }

    /** Moves every node towards its neighbours as far as the order in its row allows. */
    private void spread() {
        rows.forEach(row -> separate(row, new double[row.size()]));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < rows.size(); i++) {
                List<Node> row = rows.get(down ? i : rows.size() - 1 - i);
                double[] wanted = row.stream().mapToDouble(node -> (down ? node.above : node.below).stream()
                    .mapToDouble(other -> other.x).average().orElse(node.x)).toArray();
                separate(row, wanted);
            }
        }
    }

    /** Gives the nodes of a row the positions wanted, pushed apart evenly to both sides where they would overlap. */
    private static void separate(List<Node> row, double[] wanted) {
        double[] fromLeft = new double[row.size()];
        double[] fromRight = new double[row.size()];
        for (int i = 0; i < row.size(); i++) {
            fromLeft[i] = i == 0 ? wanted[i]
                : Math.max(wanted[i], fromLeft[i - 1] + distance(row.get(i - 1), row.get(i)));
        }
        for (int i = row.size() - 1; i >= 0; i--) {
            fromRight[i] = i == row.size() - 1 ? wanted[i]
                : Math.min(wanted[i], fromRight[i + 1] - distance(row.get(i), row.get(i + 1)));
        }
        for (int i = 0; i < row.size(); i++) {
            row.get(i).x = (fromLeft[i] + fromRight[i]) / 2;
        }
    }

    private static double distance(Node left, Node right) {
        return (left.width + right.width) / 2 + GAP;
    }

    private double stack() {
        double y = 0;
        for (List<Node> row : rows) {
            double tallest = row.stream().mapToDouble(node -> node.height).max().orElse(0);
            for (Node node : row) {
                if (node.dummy) {
                    node.height = tallest; // its edge passes what is beside it straight
                }
                node.y = y + (tallest - node.height) / 2;
            }
            y += tallest + ROW_GAP;
        }
        return y - ROW_GAP;
    }
}

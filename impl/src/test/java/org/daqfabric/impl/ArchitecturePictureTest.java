package org.daqfabric.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@code docs/architecture.svg} shows the packages and what they use as they are. */
class ArchitecturePictureTest {
    private static final Path PICTURE = Path.of("../docs/architecture.svg");
    private static final List<String> FRAMES = List.of("impl.engine", "api");
    private static final double HEIGHT = 28;
    private static final double CHARACTER = 7.4;
    private static final double PADDING = 14;
    private static final double TITLE = 22;

    @Test
    void pictureShowsThePackages() throws IOException {
        String svg = picture();
        if ("write".equals(System.getProperty("daqfabric.picture"))) {
            Files.writeString(PICTURE, svg);
        }
        assertThat(svg.equals(Files.readString(PICTURE)))
            .as("docs/architecture.svg does not show the packages as they are; draw it again with 'make picture', look "
                + "at it, and check the text of docs/architecture.md").isTrue();
    }

    private static String picture() {
        PackageGraph packages = PackageGraph.of(MainClasses.ALL);
        Map<String, LayeredLayout> frames = new TreeMap<>();
        Map<String, double[]> sizes = new HashMap<>();
        PackageGraph top = packages.merged(ArchitecturePictureTest::frame).reduced();
        packages.uses().keySet().forEach(name -> sizes.put(name, size(name)));
        for (String frame : FRAMES) {
            LayeredLayout inside = new LayeredLayout(packages.only(name -> frame(name).equals(frame)).reduced(), sizes);
            frames.put(frame, inside);
        }
        frames.forEach((frame, inside) -> sizes.put(frame,
            new double[] {inside.width + 2 * PADDING, inside.height + 2 * PADDING + TITLE}));
        return new Picture().draw(new LayeredLayout(top, sizes), frames);
    }

    private static String frame(String name) {
        return FRAMES.stream().filter(frame -> name.equals(frame) || name.startsWith(frame + ".")).findFirst()
            .orElse(name);
    }

    private static double[] size(String name) {
        return new double[] {label(name).length() * CHARACTER + 18, HEIGHT};
    }

    private static String label(String name) {
        if (name.equals("impl")) {
            return "impl: activation and wiring";
        }
        return name.replace("impl.engine.", "").replace("impl.", "").replace("api.", "");
    }

    private static final class Picture {
        private static final double MARGIN = 20;
        private final StringBuilder out = new StringBuilder();

        String draw(LayeredLayout top, Map<String, LayeredLayout> frames) {
            line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
                + "font-size=\"13\">", top.width + 2 * MARGIN, top.height + 2 * MARGIN);
            line("<title>Packages of daqfabric, each above what it uses</title>");
            line("<!-- drawn from the code by ArchitecturePictureTest: make picture -->");
            line("<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
                + "markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0.5 8,4 0,7.5z\" fill=\"#5b6770\"/></marker>"
                + "</defs>");
            line("<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#fbfbfa\"/>");
            nodes(top, frames, MARGIN, MARGIN);
            edges(top, MARGIN, MARGIN);
            line("</svg>");
            return out.toString();
        }

        private void nodes(LayeredLayout layout, Map<String, LayeredLayout> frames, double dx, double dy) {
            layout.nodes.values().forEach(node -> {
                double left = dx + node.x - node.width / 2;
                double upper = dy + node.y;
                LayeredLayout inside = frames.get(node.name);
                line("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" fill=\"%s\""
                    + " stroke=\"#8a97a0\"/>",
                    left, upper, node.width, node.height, inside == null ? fill(node.name) : frameFill(node.name));
                if (inside == null) {
                    line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#1f2a30\">%s</text>",
                        dx + node.x, upper + node.height / 2 + 4.5, label(node.name));
                } else {
                    line("<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\" fill=\"#1f2a30\">%s</text>",
                        left + PADDING, upper + TITLE - 4, label(node.name));
                    nodes(inside, Map.of(), left + PADDING, upper + PADDING + TITLE);
                    edges(inside, left + PADDING, upper + PADDING + TITLE);
                }
            });
        }

        private void edges(LayeredLayout layout, double dx, double dy) {
            for (List<LayeredLayout.Node> edge : layout.edges) {
                StringBuilder path = new StringBuilder();
                LayeredLayout.Node from = edge.getFirst();
                double fromX = port(from, from.below, edge.get(1)) + dx;
                double fromY = from.y + from.height + dy;
                path.append(String.format(Locale.ROOT, "M%.1f,%.1f", fromX, fromY));
                for (int i = 1; i < edge.size(); i++) {
                    LayeredLayout.Node to = edge.get(i);
                    double toX = (to.dummy ? to.x : port(to, to.above, edge.get(i - 1))) + dx;
                    double toY = to.y + dy;
                    double middle = (fromY + toY) / 2;
                    path.append(String.format(Locale.ROOT, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f",
                        fromX, middle, toX, middle, toX, toY));
                    fromX = toX;
                    fromY = toY;
                    if (to.dummy) {
                        fromY += to.height;
                        path.append(String.format(Locale.ROOT, " V%.1f", fromY));
                    }
                }
                line("<path d=\"%s\" fill=\"none\" stroke=\"#5b6770\" stroke-width=\"1.2\" marker-end=\"url(#end)\"/>",
                    path);
            }
        }

        /** Where an edge leaves or enters a node: edges share its side evenly, in the order of their other ends. */
        private static double port(LayeredLayout.Node node, List<LayeredLayout.Node> others, LayeredLayout.Node other) {
            long before = others.stream().filter(each -> each.x < other.x).count();
            return node.x - node.width / 2 + node.width * (before + 1) / (others.size() + 1);
        }

        private static String fill(String name) {
            if (name.startsWith("impl.controller")) {
                return "#dcefdc";
            }
            return name.startsWith("impl.engine") || name.startsWith("api") ? "#ffffff" : "#fdf0d5";
        }

        private static String frameFill(String name) {
            return name.equals("api") ? "#e9e6f5" : "#dbe9f7";
        }

        private void line(String format, Object... values) {
            out.append(String.format(Locale.ROOT, format, values)).append('\n');
        }
    }
}

package org.daqfabric.it;

/** The fabrics of the size benchmarks. */
final class BenchFabrics {
    private BenchFabrics() {
    }

    static FabricFile of(final String name) {
        final var file = FabricFile.parse(Lab.daqlab(("generate --name " + name + " " + options(name)).split(" "))
            .output());
        if (name.equals("atlas")) {
            // 50 racks in 4 pods
            return file.removeRack("h3-13").removeRack("h4-13");
        }
        return file;
    }

    private static String options(final String name) {
        return switch (name) {
            case "prototype" -> "--prototype";
            case "fig64" -> "--planes 2 --spines 4 --pods 4 --ros 25 --racks 7 --dcms 40";
            case "atlas" -> "--planes 4 --spines 10 --pods 4 --ros 25 --racks 13 --dcms 40";
            case "lhcb" -> "--planes 4 --spines 20 --pods 10 --ros 50 --racks 10 --dcms 40";
            default -> throw new IllegalArgumentException("There is no fabric " + name
                + ": take prototype, fig64, atlas or lhcb");
        };
    }
}

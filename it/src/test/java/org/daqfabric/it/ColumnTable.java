package org.daqfabric.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The table of docs/operations.md with what daqfabric does about each column of Open vSwitch's database. */
final class ColumnTable {
    private static final Pattern ROW =
        Pattern.compile("(?m)^\\| ([\\w ]+?) \\| (.*?) \\| (.*) \\| ([a-z ]+)(;.*)? \\|$");
    private static final Pattern NAME = Pattern.compile("`(\\w[\\w-]*)`(: )?");
    /** What the lines of OpenFlow port bits have in place of a table. */
    static final String PORT_BITS = "OpenFlow port";

    private static final String STATUS = "written by Open vSwitch itself";

    private ColumnTable() {
    }

    /** Tables and names, as {@code Bridge other_config:hwaddr}, but for what Open vSwitch writes itself. */
    static SortedSet<String> names(final String handling, final Set<String> tables) throws IOException {
        final var names = new TreeSet<String>();
        ROW.matcher(Files.readString(Distribution.projectRoot().resolve(Path.of("docs/operations.md")))).results()
            .filter(row -> tables.contains(row.group(1)) && row.group(4).equals(handling)
                && !row.group(3).equals(STATUS)).forEach(row -> {
                    final var found = NAME.matcher(row.group(2));
                    var map = "";
                    while (found.find()) {
                        if (found.group(2) != null) {
                            map = found.group(1) + ":";
                        } else {
                            names.add(row.group(1) + " " + map + found.group(1));
                        }
                    }
                });
        return names;
    }
}

package org.daqfabric.impl.users;

import java.util.Map;

/** What a row says, by the names of its columns. */
record Row(Map<String, String> columns) {
    static final String NAME = "name";
    static final String DESCRIPTION = "description";
    static final String DOMAIN = "domain";
    static final String ENABLED = "enabled";
    static final String EMAIL = "email";
    static final String PASSWORD = "password";
    static final String SALT = "salt";
    static final String USER = "user";
    static final String ROLE = "role";

    Row {
        columns = Map.copyOf(columns);
    }

    String get(String column) {
        return columns.getOrDefault(column, "");
    }

    boolean isEnabled() {
        return Boolean.parseBoolean(get(ENABLED));
    }

    /** Without what it says, which may be the hash of a password. */
    @Override
    public String toString() {
        return "row of " + columns.keySet();
    }
}

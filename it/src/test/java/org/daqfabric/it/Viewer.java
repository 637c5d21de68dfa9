package org.daqfabric.it;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user who may only look, as long as a test needs one. */
final class Viewer {
    private static final String JSON = "application/json";

    private final Restconf accounts;
    private final String name;
    private final String password;

    private Viewer(final Restconf accounts, final String name, final String password) {
        this.accounts = accounts;
        this.name = name;
        this.password = password;
    }

    /** Makes one; nobody may have the name. */
    static Viewer make(final Restconf restconf, final String name, final String password) {
        final var made = new Viewer(new Restconf(restconf.root().replace("/rests", "/auth/v1")), name, password);
        // the role may be there
        made.send("POST", "roles", "{'name':'viewer','description':'','domainid':'sdn'}");
        made.send("POST", "users", "{'name':'" + name + "','password':'" + password + "','domainid':'sdn'}").orFail();
        made.send("POST", "domains/sdn/users/" + name + "@sdn/roles", "{'roleid':'viewer@sdn'}").orFail();
        return made;
    }

    /** What the header {@code Authorization} of a request says. */
    String authorization() {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password)
            .getBytes(StandardCharsets.US_ASCII));
    }

    void remove() {
        send("DELETE", "users/" + name + "@sdn", null).orFail();
    }

    private Restconf.Answer send(final String method, final String path, final String body) {
        return accounts.send(method, path, body == null ? null : body.replace('\'', '"'), JSON, JSON);
    }
}

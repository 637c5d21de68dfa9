package org.daqfabric.it;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;

/** A RESTCONF client of the controller. Paths are relative to its root: {@code data/module:container}. */
final class Restconf {
    /** An HTTP response. */
    record Answer(String request, int status, String body) {
        JsonObject json() {
            return JsonParser.parseString(body).getAsJsonObject();
        }

        /** This answer; throws a readable error unless it is a success. */
        Answer orFail() {
            if (status < 200 || status > 299) {
                throw new AssertionError(this);
            }
            return this;
        }

        /** The error messages, one per line; the body if there are none. */
        String errors() {
            try {
                final var text = new StringBuilder();
                final var status = json().getAsJsonObject("ietf-yang-patch:yang-patch-status");
                final var top = status == null ? json() : status;
                for (JsonElement each : top.getAsJsonObject("errors").getAsJsonArray("error")) {
                    final var error = each.getAsJsonObject();
                    for (var key : new String[] { "error-tag", "error-path", "error-message", "error-info" }) {
                        if (error.has(key)) {
                            text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : ": ")
                                .append(error.get(key).isJsonPrimitive() ? error.get(key).getAsString()
                                    : error.get(key).toString());
                        }
                    }
                    text.append('\n');
                }
                return text.toString().strip();
            } catch (JsonSyntaxException | IllegalStateException | NullPointerException e) {
                return body;
            }
        }

        @Override
        public String toString() {
            return request + " answered " + status + (body.isEmpty() ? "" : ": " + errors());
        }
    }

    private final HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(15))
        .build();
    private final String root;
    private final String reason;
    private final String login;

    Restconf(final String root) {
        this(root, "", "admin:admin");
    }

    private Restconf(final String root, final String reason, final String login) {
        this.root = root;
        this.reason = reason;
        this.login = login;
    }

    /** The same client, which gives a reason for what it writes. */
    Restconf because(final String why) {
        return new Restconf(root, why, login);
    }

    /** The same client with another login, {@code USER:PASSWORD}. */
    Restconf as(final String other) {
        return new Restconf(root, reason, other);
    }

    /** The root URL. */
    String root() {
        return root;
    }

    Answer get(final String path) {
        return send("GET", path, null);
    }

    Answer put(final String path, final String json) {
        return send("PUT", path, json);
    }

    Answer patch(final String path, final String json) {
        return send("PATCH", path, json);
    }

    /** Sends edits that are applied atomically (RFC 8072). */
    Answer yangPatch(final String path, final JsonObject... edits) {
        final var list = new JsonArray();
        for (int index = 0; index < edits.length; index++) {
            edits[index].addProperty("edit-id", "edit" + index);
            list.add(edits[index]);
        }
        final var patch = new JsonObject();
        patch.addProperty("patch-id", "patch");
        patch.add("edit", list);
        final var body = new JsonObject();
        body.add("ietf-yang-patch:yang-patch", patch);
        return send("PATCH", path, body.toString(), "application/yang-patch+json");
    }

    /** An edit for {@link #yangPatch}; the target begins with a slash. */
    static JsonObject deletion(final String target) {
        final var edit = new JsonObject();
        edit.addProperty("operation", "delete");
        edit.addProperty("target", target);
        return edit;
    }

    Answer post(final String path, final String json) {
        return send("POST", path, json);
    }

    Answer delete(final String path) {
        return send("DELETE", path, null);
    }

    /** Whether {@code module:container} can be read, with or without data. False if there is no answer. */
    boolean serves(final String container) {
        try {
            final var answer = get("data/" + container + "?content=config");
            return answer.status == 200 || answer.body.contains("data-missing");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private Answer send(final String method, final String path, final String json) {
        return send(method, path, json, "application/yang-data+json");
    }

    /** A request with any method, body and content type; it is answered in JSON. */
    Answer send(final String method, final String path, final String body, final String type) {
        return send(method, path, body, type, "application/yang-data+json");
    }

    Answer send(final String method, final String path, final String body, final String type, final String accepted) {
        final var request = HttpRequest.newBuilder(URI.create(root + "/" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes()))
            .header("Accept", accepted)
            .header("Content-Type", type)
            .header("X-Daqfabric-Reason", reason)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
        try {
            final var response = client.send(request, BodyHandlers.ofString());
            return new Answer(method + " " + path, response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + request.uri() + " was not answered", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

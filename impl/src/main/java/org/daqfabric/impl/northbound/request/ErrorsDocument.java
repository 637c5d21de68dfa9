package org.daqfabric.impl.northbound.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** An answer that says what is wrong: the errors of RFC 8040, section 3.9. */
record ErrorsDocument(int status, String type, byte[] body) {
    private static final String RESTCONF = "urn:ietf:params:xml:ns:yang:ietf-restconf";
    /** A step or a key of an instance path, or what stands between them; values in quotes are left as they are. */
    private static final Pattern PATH = Pattern.compile(
        "(?<before>/|\\[(?=[^=\\]]+=))(?:(?<module>[^/\\[\\]:'\"=]+):)?(?<name>[^/\\[\\]'\"=]+)|'[^']*'|\"[^\"]*\"|.");

    /** The answer to a request, in the format that its client wants. */
    static ErrorsDocument of(EffectiveModelContext model, Fault fault, HttpServletRequest request) {
        return Format.wanted(request) == Format.JSON
            ? new ErrorsDocument(fault.status(), "application/yang-data+json", json(fault))
            : new ErrorsDocument(fault.status(), "application/yang-data+xml", xml(model, fault));
    }

    /** The whole answer. */
    void write(HttpServletResponse response) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** The whole answer to a request whose body is not read to its end; whoever may ask again does so in a second. */
    void writeUnread(HttpServletResponse response) throws IOException {
        if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", "1");
        }
        response.setHeader("Connection", "close");
        write(response);
    }

    private static byte[] json(Fault fault) {
        JsonObject error = new JsonObject();
        error.addProperty("error-tag", fault.tag().elementBody());
        fault.applicationTag().ifPresent(tag -> error.addProperty("error-app-tag", tag));
        if (!fault.path().isEmpty()) {
            error.addProperty("error-path", fault.path());
        }
        error.addProperty("error-message", fault.message());
        error.addProperty("error-type", fault.type().elementBody());
        JsonArray list = new JsonArray();
        list.add(error);
        JsonObject errors = new JsonObject();
        errors.add("error", list);
        JsonObject document = new JsonObject();
        document.add("errors", errors);
        return document.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] xml(EffectiveModelContext model, Fault fault) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(bytes,
                StandardCharsets.UTF_8.name());
            xml.writeStartElement("errors");
            xml.writeDefaultNamespace(RESTCONF);
            xml.writeStartElement("error");
            text(xml, "error-type", fault.type().elementBody());
            text(xml, "error-tag", fault.tag().elementBody());
            if (fault.applicationTag().isPresent()) {
                text(xml, "error-app-tag", fault.applicationTag().get());
            }
            if (!fault.path().isEmpty()) {
                xml.writeStartElement("error-path");
                Set<String> modules = new LinkedHashSet<>();
                String path = qualified(model, fault.path(), modules);
                for (String module : modules) {
                    xml.writeNamespace(module, namespace(model, module));
                }
                xml.writeCharacters(printable(path));
                xml.writeEndElement();
            }
            text(xml, "error-message", fault.message());
            xml.writeEndElement();
            xml.writeEndElement();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("written to memory", e);
        }
        return bytes.toByteArray();
    }

    private static void text(XMLStreamWriter xml, String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(printable(text));
        xml.writeEndElement();
    }

    /** Without what XML cannot hold. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cn}\\p{Cs}&&[^\t\n\r]]", "?");
    }

    private static String namespace(EffectiveModelContext model, String module) {
        return model.findModuleStatements(module).iterator().next().localQNameModule().namespace().toString();
    }

    /** A path with the module before every name, as XML wants it; names that no module has are left as they are. */
    private static String qualified(EffectiveModelContext model, String path, Set<String> modules) {
        StringBuilder text = new StringBuilder();
        String module = "";
        Matcher parts = PATH.matcher(path);
        while (parts.find()) {
            String own = parts.group("module");
            module = own == null ? module : own;
            if (parts.group("before") == null || model.findModuleStatements(module).isEmpty()) {
                text.append(parts.group());
            } else {
                modules.add(module);
                text.append(parts.group("before")).append(module).append(':').append(parts.group("name"));
            }
        }
        return text.toString();
    }
}

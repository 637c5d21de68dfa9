package org.daqfabric.impl.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes certificates with the openssl command: {@code NAME-key.pem} and {@code NAME-cert.pem}. */
public final class Certificates {
    private static final List<String> RSA = List.of("-newkey", "rsa:2048");
    private static final List<String> EC = List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256");

    private Certificates() {
    }

    /** A self-signed certificate, which may sign others. */
    public static void make(Path folder, String name, String kind) throws IOException {
        make(folder, name, "30", kind.equals("EC") ? EC : RSA);
    }

    /** A certificate that expired a month ago, without its key; made with keytool, as openssl req cannot backdate. */
    static void makeExpired(Path folder, String name) throws IOException {
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String[] store = {"-keystore", folder.resolve(name + ".p12").toString(), "-storepass", "unused", "-alias",
            name};
        run(keytool, List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-startdate", "-60d", "-validity",
            "30"), store);
        run(keytool, List.of("-exportcert", "-rfc", "-file", folder.resolve(name + "-cert.pem").toString()), store);
    }

    /** A certificate signed by the CA of that name. */
    public static void issue(Path folder, String ca, String name) throws IOException {
        List<String> options = new ArrayList<>(EC);
        options.addAll(List.of("-CA", folder.resolve(ca + "-cert.pem").toString(), "-CAkey",
            folder.resolve(ca + "-key.pem").toString()));
        make(folder, name, "30", options);
    }

    private static void make(Path folder, String name, String days, List<String> options) throws IOException {
        run("openssl", List.of("req", "-x509", "-nodes", "-days", days, "-subj", "/CN=" + name, "-keyout",
            folder.resolve(name + "-key.pem").toString(), "-out", folder.resolve(name + "-cert.pem").toString()),
            options.toArray(String[]::new));
    }

    private static void run(String program, List<String> first, String... rest) throws IOException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(first);
        command.addAll(List.of(rest));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}

package org.daqfabric.impl.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file in PEM form. Text around the blocks is skipped: {@code openssl ca} writes some. */
final class PemFile {
    private static final Pattern BLOCK =
        Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END \\1-----");
    /** A certificate has some kilobytes; a larger file, such as a disk image, is refused and not read. */
    private static final long MAX_BYTES = 1 << 20;

    private final String setting;
    private final Path file;
    private final List<Block> blocks = new ArrayList<>();

    private record Block(String type, String base64) {
    }

    PemFile(String setting, Path file) throws TlsException {
        this.setting = setting;
        this.file = file;
        Matcher matcher = BLOCK.matcher(text());
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
    }

    private String text() throws TlsException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw wrong("is larger than any PEM file: name the right file", null);
            }
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw wrong("does not exist: correct the path", e);
        } catch (TlsException e) {
            throw e;
        } catch (IOException e) {
            throw wrong("cannot be read (" + e + "): let the controller's user read it", e);
        }
    }

    /** All certificates in the file, at least one. */
    List<X509Certificate> certificates() throws TlsException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks) {
            if (block.type.equals("CERTIFICATE")) {
                try {
                    certificates.add((X509Certificate) CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(bytes(block))));
                } catch (CertificateException e) {
                    throw wrong("has a certificate that cannot be read (" + e.getMessage() + "): copy it anew", e);
                }
            }
        }
        if (certificates.isEmpty()) {
            throw wrong("has no certificate: name a PEM file with a block BEGIN CERTIFICATE", null);
        }
        return certificates;
    }

    /** The private key, which must be of that algorithm. */
    PrivateKey privateKey(String algorithm) throws TlsException {
        for (Block block : blocks) {
            switch (block.type) {
                case "PRIVATE KEY" -> {
                    try {
                        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes(block)));
                    } catch (GeneralSecurityException e) {
                        throw wrong("has no " + algorithm + " key, which the certificate in " + TlsFiles.CERTIFICATE
                            + " needs: name the key the certificate was made for", e);
                    }
                }
                case "ENCRYPTED PRIVATE KEY" -> throw wrong("is encrypted: write it without a password with openssl"
                    + " pkcs8 -topk8 -nocrypt -in " + file + " -out NEW, and name that file", null);
                case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" -> throw wrong("is a key of the old form '"
                    + block.type + "': convert it with openssl pkcs8 -topk8 -nocrypt -in " + file
                    + " -out NEW, and name that file", null);
                default -> {
                    // a certificate beside the key, or parameters
                }
            }
        }
        throw wrong("has no private key: name a PEM file with a block BEGIN PRIVATE KEY", null);
    }

    private byte[] bytes(Block block) throws TlsException {
        try {
            return Base64.getMimeDecoder().decode(block.base64);
        } catch (IllegalArgumentException e) {
            throw wrong("is damaged (" + e.getMessage() + "): copy it anew", e);
        }
    }

    TlsException wrong(String what, Exception cause) {
        return new TlsException(setting + ": " + file.toAbsolutePath() + " " + what, cause);
    }
}

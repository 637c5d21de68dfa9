package org.daqfabric.impl.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The controller's key and certificate chain, and the CA certificates it trusts. */
public final class TlsIdentity {
    /**
     * The key stores have no password. The key is unencrypted in the operator's PEM file, and a password kept beside
     * the key store would protect nothing that the file's permissions do not.
     */
    private static final char[] NO_PASSWORD = {};
    private static final Map<String, String> SIGNATURES =
        Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA", "Ed25519", "Ed25519");

    private final PrivateKey key;
    private final List<X509Certificate> chain;
    private final List<X509Certificate> trusted;

    private TlsIdentity(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {
        this.key = key;
        this.chain = chain;
        this.trusted = trusted;
    }

    /** Reads the files and checks that they can work together. */
    public static TlsIdentity read(TlsFiles files) throws TlsException {
        PemFile certificateFile = new PemFile(TlsFiles.CERTIFICATE, files.certificate());
        PemFile keyFile = new PemFile(TlsFiles.PRIVATE_KEY, files.privateKey());
        List<X509Certificate> chain = certificateFile.certificates();
        List<X509Certificate> trusted = new PemFile(TlsFiles.CA_CERTIFICATE, files.caCertificate()).certificates();
        X509Certificate own = chain.get(0);
        try {
            own.checkValidity();
        } catch (CertificateExpiredException | CertificateNotYetValidException e) {
            throw certificateFile.wrong("is valid from " + own.getNotBefore() + " to " + own.getNotAfter()
                + ", not now: make a new one, or set the clock", e);
        }
        PrivateKey key = keyFile.privateKey(own.getPublicKey().getAlgorithm());
        if (!belongTogether(key, own.getPublicKey())) {
            throw keyFile.wrong("is not the key of the certificate in " + TlsFiles.CERTIFICATE + ", "
                + files.certificate().toAbsolutePath() + ": name two files that were made together", null);
        }
        return new TlsIdentity(key, chain, trusted);
    }

    private static boolean belongTogether(PrivateKey key, PublicKey certified) throws TlsException {
        try {
            String algorithm = SIGNATURES.get(certified.getAlgorithm());
            if (algorithm == null) {
                throw new TlsException(TlsFiles.CERTIFICATE + " is for a key of kind " + certified.getAlgorithm()
                    + ": make one for an RSA or EC key");
            }
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(certified.getEncoded());
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(certified.getEncoded());
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** For connections that daqfabric makes itself, without OpenDaylight's library. */
    public SSLContext context() throws TlsException {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(keyStore(), NO_PASSWORD);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trustStore());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Writes key and certificates for OpenDaylight's OpenFlow library, as PKCS#12 without a password. */
    public void writeKeyStore(Path file) throws TlsException {
        try {
            write(keyStore(), file);
        } catch (GeneralSecurityException | IOException e) {
            throw unwritten(file, e);
        }
    }

    /** Writes the trusted CA certificates in the same way. */
    public void writeTrustStore(Path file) throws TlsException {
        try {
            write(trustStore(), file);
        } catch (GeneralSecurityException | IOException e) {
            throw unwritten(file, e);
        }
    }

    private static TlsException unwritten(Path file, Exception cause) {
        return new TlsException(file.toAbsolutePath() + " cannot be written (" + cause
            + "): let the controller's user write there", cause);
    }

    private KeyStore keyStore() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setKeyEntry("controller", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
        return store;
    }

    private KeyStore trustStore() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int at = 0; at < trusted.size(); at++) {
            store.setCertificateEntry("ca-" + at, trusted.get(at));
        }
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Writes a file atomically that only the controller's user can read at any moment. */
    private static void write(KeyStore store, Path file) throws GeneralSecurityException, IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = Files.createTempFile(file.toAbsolutePath().getParent(), "new", ".p12",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream out = Files.newOutputStream(temporary)) {
            store.store(out, NO_PASSWORD);
        }
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}

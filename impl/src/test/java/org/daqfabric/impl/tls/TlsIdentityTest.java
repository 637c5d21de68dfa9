package org.daqfabric.impl.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unusable files are refused when the controller starts, with the setting and the file named. */
class TlsIdentityTest {
    @TempDir
    private Path folder;
    private Path key;
    private Path certificate;
    private Path otherKey;

    @BeforeEach
    void makeFiles() throws IOException {
        Certificates.make(folder, "one", "RSA");
        Certificates.make(folder, "two", "RSA");
        key = folder.resolve("one-key.pem");
        certificate = folder.resolve("one-cert.pem");
        otherKey = folder.resolve("two-key.pem");
    }

    /** Both kinds of key in use; text before the certificate, as ovs-pki writes it, is ignored. */
    @ParameterizedTest
    @CsvSource({"RSA", "EC"})
    void goodFilesMakeAnIdentity(String kind) throws Exception {
        Certificates.make(folder, "good", kind);
        Path good = folder.resolve("good-cert.pem");
        Files.writeString(good, "Certificate:\n    Data: - x -\n" + Files.readString(good));
        TlsIdentity identity = TlsIdentity.read(new TlsFiles(folder.resolve("good-key.pem"), good, good));
        assertThat(identity.context().createSSLEngine()).isNotNull();

        Path store = folder.resolve("new/keys.p12");
        identity.writeKeyStore(store);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store))).isEqualTo("rw-------");
        assertThat(read(store).getKey("controller", new char[0])).isNotNull();
        identity.writeTrustStore(store);
        assertThat(read(store).getCertificate("ca-0")).isNotNull();
    }

    /** Expiry dates are read from the files as they are now, even if a controller would no longer start with them. */
    @Test
    void expiryDatesAreRead() throws Exception {
        Certificates.makeExpired(folder, "old");
        List<CertificateDate> dates =
            CertificateDate.of(new TlsFiles(key, folder.resolve("old-cert.pem"), certificate));
        assertThat(dates).extracting(CertificateDate::setting).containsExactly("tls-certificate", "tls-ca-certificate");
        assertThat(dates.get(0).notAfter()).isBefore(Instant.now());
        assertThat(dates.get(1).notAfter()).isAfter(Instant.now());
        assertThat(dates.get(1).subject()).contains("one");
        assertThat(dates.get(1).file()).isEqualTo(certificate);
        assertThat(CertificateDate.of("controller-certificate", certificate)).singleElement()
            .isEqualTo(new CertificateDate("controller-certificate", certificate, dates.get(1).subject(),
                dates.get(1).notAfter()));
        assertThatThrownBy(() -> CertificateDate.of(new TlsFiles(key, folder.resolve("gone.pem"), certificate)))
            .isInstanceOf(TlsException.class).hasMessageContaining("does not exist");
    }

    @Test
    void aMissingFileIsNamed() {
        assertRefused(new TlsFiles(key, folder.resolve("gone.pem"), certificate), "tls-certificate: " + folder
            + "/gone.pem does not exist");
    }

    @Test
    void aFileWithOtherContentIsNamed() {
        assertRefused(new TlsFiles(key, certificate, key), "tls-ca-certificate: " + key + " has no certificate");
        assertRefused(new TlsFiles(certificate, certificate, certificate),
            "tls-private-key: " + certificate + " has no private key");
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() {
        assertRefused(new TlsFiles(otherKey, certificate, certificate),
            "tls-private-key: " + otherKey + " is not the key of the certificate in tls-certificate, " + certificate);
    }

    @Test
    void aKeyOfAnotherTypeIsRefused() throws IOException {
        Certificates.make(folder, "ec", "EC");
        assertRefused(new TlsFiles(folder.resolve("ec-key.pem"), certificate, certificate), "has no RSA key");
    }

    /** For an old format, the message has the command that converts it. */
    @ParameterizedTest
    @CsvSource({"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
    void unreadableFormatsAreRefusedWithTheCommandToConvertThem(String type) throws IOException {
        Path old = folder.resolve("old.pem");
        Files.writeString(old, "-----BEGIN " + type + "-----\nAAAA\n-----END " + type + "-----\n");
        assertRefused(new TlsFiles(old, certificate, certificate), "openssl pkcs8 -topk8 -nocrypt -in " + old);
    }

    @Test
    void aDamagedCertificateIsNamed() throws IOException {
        Path damaged = folder.resolve("damaged.pem");
        Files.writeString(damaged, "-----BEGIN CERTIFICATE-----\n"
            + Base64.getEncoder().encodeToString(new byte[100]) + "\n-----END CERTIFICATE-----\n");
        assertRefused(new TlsFiles(key, damaged, certificate), "tls-certificate: " + damaged
            + " has a certificate that");
    }

    @Test
    void anExpiredCertificateIsRefused() throws IOException {
        Certificates.makeExpired(folder, "old");
        assertRefused(new TlsFiles(key, folder.resolve("old-cert.pem"), certificate),
            "not now");
    }

    @Test
    void allThreeSettingsOrNone() throws TlsException {
        assertThat(TlsFiles.of("", " ", "")).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> TlsFiles.of("a", "", "c")).isInstanceOf(TlsException.class)
            .hasMessageContaining("tls-certificate is not set");
        assertThatThrownBy(() -> TlsFiles.needed("ovsdb-tls-port", "", "", "")).isInstanceOf(TlsException.class)
            .hasMessageContaining("ovsdb-tls-port is set, but tls-private-key");
    }

    private static void assertRefused(TlsFiles files, String message) {
        assertThatThrownBy(() -> TlsIdentity.read(files)).isInstanceOf(TlsException.class)
            .hasMessageContaining(message);
    }

    private static KeyStore read(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, new char[0]);
        }
        return store;
    }
}

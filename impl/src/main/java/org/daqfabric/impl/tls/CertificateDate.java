package org.daqfabric.impl.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The expiry date of a certificate in the operator's files. */
public record CertificateDate(String setting, Path file, String subject, Instant notAfter) {
    /** The dates of all certificates that are in the files now. */
    public static List<CertificateDate> of(TlsFiles files) throws TlsException {
        List<CertificateDate> dates = new ArrayList<>();
        for (Map.Entry<String, Path> each : List.of(Map.entry(TlsFiles.CERTIFICATE, files.certificate()),
                Map.entry(TlsFiles.CA_CERTIFICATE, files.caCertificate()))) {
            dates.addAll(of(each.getKey(), each.getValue()));
        }
        return dates;
    }

    /** The dates of all certificates that are in the file of a setting now. */
    public static List<CertificateDate> of(String setting, Path file) throws TlsException {
        List<CertificateDate> dates = new ArrayList<>();
        for (X509Certificate certificate : new PemFile(setting, file).certificates()) {
            dates.add(new CertificateDate(setting, file, certificate.getSubjectX500Principal().getName(),
                certificate.getNotAfter().toInstant()));
        }
        return dates;
    }
}

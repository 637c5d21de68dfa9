package org.daqfabric.impl.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.daqfabric.impl.text.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names that a certificate is for. */
public final class CertificateNames {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateNames.class);
    /** What {@code ovs-pki} writes behind the name that it was given. */
    private static final Pattern OVS_PKI = Pattern.compile("(.*) id:[0-9a-f-]{36}");
    private static final int DNS_NAME = 2;

    private CertificateNames() {
    }

    /** The common names of its subject and its alternative DNS names. */
    public static SortedSet<String> of(X509Certificate certificate) {
        SortedSet<String> names = new TreeSet<>();
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    Matcher made = OVS_PKI.matcher(part.getValue().toString());
                    names.add(made.matches() ? made.group(1) : part.getValue().toString());
                }
            }
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.stream().filter(each -> each.get(0).equals(DNS_NAME))
                    .forEach(each -> names.add(each.get(1).toString()));
            }
        } catch (InvalidNameException | CertificateParsingException e) {
            LOG.debug("A certificate's names cannot be read", e);
        }
        return names.stream().map(ForeignText::shown).collect(Collectors.toCollection(TreeSet::new));
    }
}

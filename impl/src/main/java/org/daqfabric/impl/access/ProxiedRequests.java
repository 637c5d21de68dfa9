package org.daqfabric.impl.access;

import com.google.common.collect.Lists;
import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has requests that a proxy of the site has passed on come from the address that it names in {@code Forwarded}
 * (RFC 7239), for what counts by address and what is written down. {@link LoginGuard} asks it, which comes first.
 */
@Component(service = ProxiedRequests.class, configurationPid = "org.daqfabric")
public final class ProxiedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ProxiedRequests.class);
    /** A quoted string, which may hold the signs that end an element or a value elsewhere. */
    private static final String QUOTED = "\"(?:\\\\.|[^\\\\\"])*+\"";
    private static final Pattern LINE = Pattern.compile("(?:[^\"]|" + QUOTED + ")*+");
    private static final Pattern ELEMENT = Pattern.compile("(?:[^,\"]|" + QUOTED + ")++");
    private static final Pattern FOR = Pattern.compile("(?i)(?:^|;)\\s*for=(\"[^\"]*\"|[^;\"\\s]+)");
    private static final Pattern PORT = Pattern.compile("(?<=\\]|^[0-9.]{7,15}):[0-9]+$");
    /** Proxies behind each other. */
    private static final int MOST = 10;

    private volatile Set<InetAddress> proxies;

    /** The settings of {@code etc/org.daqfabric.cfg} that are of requests. */
    public @interface Configuration {
        /** IP addresses of the site's proxies, with commas; empty for none. */
        String proxies() default "";
    }

    @Activate
    public ProxiedRequests(Configuration configuration) {
        this(configuration.proxies());
    }

    ProxiedRequests(String setting) {
        proxies = addresses(setting);
    }

    /** Who refers to this need not begin anew. */
    @Modified
    void modified(Configuration configuration) {
        proxies = addresses(configuration.proxies());
    }

    /** The proxies of a setting, or none if that is wrong. */
    private static Set<InetAddress> addresses(String setting) {
        List<String> named = Arrays.stream(setting.split(",")).map(String::strip).filter(each -> !each.isEmpty())
            .toList();
        List<String> wrong = named.stream().filter(each -> !InetAddresses.isInetAddress(each)).toList();
        if (!wrong.isEmpty()) {
            LOG.error("etc/org.daqfabric.cfg: proxies: {} is no IP address, and no proxy is believed: correct it",
                wrong.get(0));
        }
        return wrong.isEmpty() ? named.stream().map(InetAddresses::forString).collect(Collectors.toSet())
            : Set.of();
    }

    /** The request, from whom it really is. */
    HttpServletRequest of(HttpServletRequest request) {
        Optional<String> client = proxies.isEmpty() ? Optional.empty()
            : client(request.getRemoteAddr(), Collections.list(request.getHeaders("Forwarded")));
        return client.isEmpty() ? request : new Proxied(request, client.get());
    }

    /**
     * Who has asked a proxy that is believed; empty if the peer is none. What a client says itself is not: only the
     * last address is the proxy's word, and the one before it that of a proxy which has that address.
     *
     * @param peer the address of who has connected
     * @param forwarded the headers of that name
     */
    private Optional<String> client(String peer, List<String> forwarded) {
        if (!forwarded.stream().allMatch(line -> LINE.matcher(line).matches())) {
            return Optional.empty();
        }
        Optional<InetAddress> believed = address(peer);
        List<String> named = Lists.reverse(forwarded.stream()
            .flatMap(line -> ELEMENT.matcher(line).results().map(MatchResult::group)).toList());
        Optional<InetAddress> client = Optional.empty();
        for (int each = 0; each < Math.min(MOST, named.size()) && believed.filter(proxies::contains).isPresent();
                each++) {
            believed = FOR.matcher(named.get(each).strip()).results().findFirst()
                .flatMap(found -> address(found.group(1)));
            client = believed.isPresent() ? believed : client;
        }
        return client.map(InetAddresses::toUriString); // as the web server writes those of its peers
    }

    /** However it is written: with brackets, quotes, a zone or a port. */
    private static Optional<InetAddress> address(String written) {
        String plain = PORT.matcher(written.replace("\"", "")).replaceFirst("").replaceAll("[\\[\\]]|%.*", "");
        return InetAddresses.isInetAddress(plain) ? Optional.of(InetAddresses.forString(plain)) : Optional.empty();
    }

    /** A request from the client of a proxy, whose port nobody has told. */
    private static final class Proxied extends HttpServletRequestWrapper {
        private final String client;

        private Proxied(HttpServletRequest request, String client) {
            super(request);
            this.client = client;
        }

        @Override
        public String getRemoteAddr() {
            return client;
        }

        @Override
        public String getRemoteHost() {
            return client;
        }

        @Override
        public int getRemotePort() {
            return 0;
        }
    }
}

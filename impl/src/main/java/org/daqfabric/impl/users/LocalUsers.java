package org.daqfabric.impl.users;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opendaylight.aaa.api.ClaimCache;
import org.opendaylight.aaa.api.IDMStoreException;
import org.opendaylight.aaa.api.IIDMStore;
import org.opendaylight.aaa.api.model.Domain;
import org.opendaylight.aaa.api.model.Grant;
import org.opendaylight.aaa.api.model.Role;
import org.opendaylight.aaa.api.model.User;

/** AAA's database of this member. Whoever logs in is looked up in it again after each change. */
final class LocalUsers implements UserRows {
    private final IIDMStore store;
    private final HashedUsers users;
    private final ClaimCache logins;

    LocalUsers(IIDMStore store, HashedUsers users, ClaimCache logins) {
        this.store = store;
        this.users = users;
        this.logins = logins;
    }

    @Override
    public Map<RowId, Row> read(Set<String> missing) throws IDMStoreException {
        Map<RowId, Row> rows = new HashMap<>();
        for (Domain each : store.getDomains().getDomains()) {
            rows.put(new RowId(Kind.DOMAIN, each.getDomainid()), new Row(Map.of(Row.NAME, each.getName(),
                Row.DESCRIPTION, text(each.getDescription()), Row.ENABLED, each.isEnabled().toString())));
        }
        for (Role each : store.getRoles().getRoles()) {
            rows.put(new RowId(Kind.ROLE, each.getRoleid()), new Row(Map.of(Row.NAME, each.getName(),
                Row.DOMAIN, each.getDomainid(), Row.DESCRIPTION, text(each.getDescription()))));
        }
        Set<String> withRoles = new TreeSet<>(missing);
        for (User each : store.getUsers().getUsers()) {
            withRoles.add(each.getUserid());
            rows.put(new RowId(Kind.USER, each.getUserid()), new Row(Map.of(Row.NAME, each.getName(),
                Row.DOMAIN, each.getDomainid(), Row.DESCRIPTION, text(each.getDescription()),
                Row.EMAIL, text(each.getEmail()), Row.ENABLED, each.isEnabled().toString(),
                Row.PASSWORD, each.getPassword(), Row.SALT, text(each.getSalt()))));
        }
        for (String user : withRoles) {
            for (Grant each : store.getGrants(user).getGrants()) {
                rows.put(new RowId(Kind.GRANT, each.getGrantid()), new Row(Map.of(Row.USER, each.getUserid(),
                    Row.DOMAIN, each.getDomainid(), Row.ROLE, each.getRoleid())));
            }
        }
        return rows;
    }

    private static String text(String text) {
        return text == null ? "" : text;
    }

    @Override
    public void apply(RowChange change) throws IDMStoreException {
        if (change.row().isPresent()) {
            write(change.id(), change.row().get());
        } else {
            delete(change.id());
        }
        logins.clear();
    }

    private void delete(RowId id) throws IDMStoreException {
        switch (id.kind()) {
            case DOMAIN -> store.deleteDomain(id.id());
            case ROLE -> store.deleteRole(id.id());
            case USER -> store.deleteUser(id.id());
            default -> store.deleteGrant(id.id());
        }
    }

    private void write(RowId id, Row row) throws IDMStoreException {
        switch (id.kind()) {
            case DOMAIN -> writeDomain(id.id(), row);
            case ROLE -> writeRole(id.id(), row);
            case USER -> users.write(id.id(), row);
            default -> writeGrant(id.id(), row);
        }
    }

    private void writeGrant(String id, Row row) throws IDMStoreException {
        if (store.readGrant(id) == null) {
            Grant grant = new Grant();
            grant.setUserid(row.get(Row.USER));
            grant.setDomainid(row.get(Row.DOMAIN));
            grant.setRoleid(row.get(Row.ROLE));
            store.writeGrant(grant);
        }
    }

    private void writeDomain(String id, Row row) throws IDMStoreException {
        Domain domain = new Domain();
        domain.setDomainid(id);
        domain.setName(row.get(Row.NAME));
        domain.setDescription(row.get(Row.DESCRIPTION));
        domain.setEnabled(row.isEnabled());
        if (store.readDomain(id) == null) {
            store.writeDomain(domain);
        } else {
            store.updateDomain(domain);
        }
    }

    private void writeRole(String id, Row row) throws IDMStoreException {
        Role role = new Role();
        role.setRoleid(id);
        role.setName(row.get(Row.NAME));
        role.setDomainid(row.get(Row.DOMAIN));
        role.setDescription(row.get(Row.DESCRIPTION));
        if (store.readRole(id) == null) {
            store.writeRole(role);
        } else {
            store.updateRole(role);
        }
    }
}

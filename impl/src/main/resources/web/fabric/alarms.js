/** The alarms that concern a fabric. Pure. */

const SEVERITIES = ['critical', 'major', 'minor', 'warning'];
const SIGNS = { critical: '✕', major: '!', minor: '▲', warning: '△' };
const OF_FABRIC = 'fabric/';

/**
 * The raised alarms of a fabric and of what belongs to none, the worst first, shelved ones last.
 *
 * @param tree the container `daqfabric-alarms:alarms`
 */
export function alarmsOf(tree, fabric) {
  return (tree?.alarm ?? []).filter((each) => !each['is-cleared'] && concerns(each.resource, fabric)).map((each) => ({
    resource: each.resource, type: each['alarm-type-id'], severity: each['perceived-severity'], text: each['alarm-text'], advice: each.advice,
    since: each['last-raised'], state: each['operator-state'], shelved: each.shelved === true, part: partOf(each.resource, fabric),
  })).sort((a, b) => a.shelved - b.shelved || SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
    || a.resource.localeCompare(b.resource) || a.type.localeCompare(b.type));
}

function concerns(resource, fabric) {
  return !resource.startsWith(OF_FABRIC) || resource === OF_FABRIC + fabric || resource.startsWith(`${OF_FABRIC}${fabric}/`);
}

/** The switch or link of the drawing that a resource is; undefined for others. */
function partOf(resource, fabric) {
  const [kind, ...name] = resource.slice(OF_FABRIC.length + fabric.length + 1).split('/');
  return resource.startsWith(`${OF_FABRIC}${fabric}/`) && ['switch', 'link'].includes(kind) ? { kind, id: name.join('/') } : undefined;
}

/** The severity in words with a sign, so that nobody needs the colour. */
export function severityText(severity) {
  return `${SIGNS[severity] ?? ''} ${severity}`.trim();
}

/** The resource without its fabric. */
export function nameOf(resource, fabric) {
  return resource === OF_FABRIC + fabric ? 'fabric' : resource.replace(`${OF_FABRIC}${fabric}/`, '').replace('/', ' ');
}

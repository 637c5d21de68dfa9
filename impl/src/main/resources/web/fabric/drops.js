/** Episodes in which daqrings dropped packets, and how full these were in each millisecond. Pure. */

/** The values of leaf `occupancy`: `7*3` stands for `7 7 7`. */
export function occupancies(text) {
  return text.split(' ').flatMap((token) => {
    const [value, times = 1] = token.split('*').map(Number);
    return Array.from({ length: times }, () => value);
  });
}

/** Episodes of a state, newest first, by the controller's clock: that of a switch may be wrong. */
export function dropsOf(state) {
  return (state['drop-episode'] ?? []).map((each) => ({
    dcm: each.dcm, switch: each.switch, begin: each.began ?? each.begin, dropped: Number(each.dropped),
    milliseconds: Number(each.duration) + 1,
    peak: each.peak, before: each.before, values: occupancies(each.occupancy), partition: each.partition, run: each['run-number'],
  })).sort((a, b) => Date.parse(b.begin) - Date.parse(a.begin) || a.switch.localeCompare(b.switch) || a.dcm.localeCompare(b.dcm));
}

/** The outline of a drawing of values as the path of an SVG: steps from left to right, the peak at the top. */
export function outline({ values, peak }, width, height) {
  const x = (index) => (index * width / values.length).toFixed(1);
  const steps = values.flatMap((value, index) => (value === values[index - 1] ? []
    : [`L${x(index)},${index ? level(values[index - 1]) : height}L${x(index)},${level(value)}`]));
  function level(value) {
    return (height * (1 - value / Math.max(peak, 1))).toFixed(1);
  }
  return `M0,${height}${steps.join('')}L${width},${level(values.at(-1))}L${width},${height}Z`;
}

/** Draws what lies under switches and links: planes, pods, and the lines that extend a switch to its links. */
import { count } from '../fabric/words.js';

const { line, curveMonotoneY } = globalThis.d3;

export function drawGround(layer, { drawing, selected }) {
  const planes = layer.selectAll('g.plane').data(drawing.planes, (plane) => plane.id).join((enter) => {
    const group = enter.append('g').attr('class', 'plane');
    group.append('rect').attr('rx', 8);
    group.append('text');
    return group;
  });
  box(planes.select('rect'));
  planes.select('text').attr('x', (plane) => plane.x + plane.width / 2).attr('y', (plane) => plane.y + 16)
    .text((plane) => `plane ${plane.id}`);
  drawPods(layer, drawing);
  layer.selectAll('path.line').data(drawing.lines).join('path').attr('class', (each) => `line${selected?.kind === 'switch' && each.of === selected.id ? ' on' : ''}`)
    .attr('d', (each) => (each.points.length > 2 ? line().curve(curveMonotoneY) : line())(each.points));
}

function drawPods(layer, drawing) {
  const data = drawing.pods.map((pod) => ({ ...pod, kind: 'pod', pod: pod.id, key: `pod ${pod.id}`, left: pod.x, top: pod.y }));
  const pods = layer.selectAll('g.pod').data(data, (pod) => pod.id).join((enter) => {
    const group = enter.append('g').attr('class', 'pod');
    group.append('rect').attr('class', 'row').attr('rx', 8);
    const title = group.append('g').attr('class', 'item title').attr('role', 'button');
    title.append('rect').attr('rx', 4);
    title.append('text').attr('class', 'name');
    group.append('text').attr('class', 'counts');
    return group;
  });
  box(pods.select('rect.row'));
  pods.select('text.counts').attr('x', (pod) => pod.x + pod.width - 12).attr('y', (pod) => pod.y + 15)
    .text((pod) => `${count(pod.racks, 'HLT rack')}, ${count(pod.dcms, 'DCM')}`);
  const titles = pods.select('g.title')
    .datum((pod) => ({ ...pod, x: pod.left + 60, y: pod.top + 11 }))
    .attr('aria-expanded', (pod) => pod.open)
    .attr('aria-label', (pod) => `pod ${pod.id}, ${pod.ros} ROS, ${count(pod.racks, 'HLT rack')}, ${count(pod.dcms, 'DCM')}`);
  titles.select('rect').attr('x', (pod) => pod.left + 4).attr('y', (pod) => pod.top + 3).attr('width', 124).attr('height', 17);
  titles.select('text').attr('x', (pod) => pod.left + 10).attr('y', (pod) => pod.top + 15)
    .text((pod) => `${pod.open ? '▾' : '▸'} pod ${pod.id}: ${count(pod.ros, 'ROS', 'ROS')}`);
}

function box(rects) {
  rects.attr('x', (each) => each.x).attr('y', (each) => each.y)
    .attr('width', (each) => each.width).attr('height', (each) => each.height);
}

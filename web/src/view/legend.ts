/// What signs and colours mean, for what is shown.
import { css, themes, type Rgb } from '../stage';
import { element, made } from './page';
import { quantity, roundBelow } from './scales';
import type { Show } from './show';

const kSvg = 'http://www.w3.org/2000/svg';

function svg(width: number, draw: (add: (tag: string, attributes: Record<string, string | number>) => void) => void): SVGElement {
  const root = document.createElementNS(kSvg, 'svg');
  root.setAttribute('width', String(width));
  root.setAttribute('height', '16');
  root.setAttribute('aria-hidden', 'true');
  draw((tag, attributes) => {
    const part = document.createElementNS(kSvg, tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, String(value));
    root.append(part);
  });
  return root;
}

function item(sign: Element, text: string): HTMLElement {
  const box = made('div', '', 'item');
  box.append(sign, made('span', text));
  return box;
}

const ring = (colour: Rgb, r: number, width: number): SVGElement =>
  svg(12, (add) => add('circle', { cx: 6, cy: 8, r, fill: 'none', stroke: css(colour), 'stroke-width': width }));

const dot = (colour: Rgb, r: number): SVGElement => svg(12, (add) => add('circle', { cx: 6, cy: 8, r, fill: css(colour) }));

function ramp(scale: readonly Rgb[]): HTMLElement {
  const bar = made('div', '', 'ramp');
  bar.style.background = `linear-gradient(90deg, ${scale.map(css).join(', ')})`;
  return bar;
}

/// Again, after anything has been changed. `pixels` is the length of an arrow of the reference force.
export function updateLegend(show: Show, pixels: number): void {
  const theme = themes[show.theme];
  const items: HTMLElement[] = [];
  const { options } = show;
  if (options.arrows && show.hasForces) {
    const value = roundBelow(show.reference);
    const length = Math.min(120, Math.max(10, (pixels * value) / show.reference));
    const colour = css(theme.force[Math.min(4, Math.round(4 * Math.sqrt(value / show.reference)))]);
    const arrow = svg(length, (add) => {
      add('path', { d: `M0 8H${length - 8}`, stroke: colour, 'stroke-width': 4 });
      add('path', { d: `M${length - 10} 2.500L${length} 8L${length - 10} 13.500z`, fill: colour });
    });
    items.push(item(arrow, `force ${quantity(value, 1)}`));
  }
  if (options.colour === 'force' && show.hasForces) items.push(item(ramp([theme.fixed, ...theme.force]), `force through a body, up to ${quantity(1.5 * show.reference, 2)}`));
  if (options.colour === 'speed') items.push(item(ramp(theme.speed), `speed, up to ${quantity(show.topSpeed, 2)}`));
  if (options.openings && show.hasMechanism) {
    items.push(item(ring(theme.opens, 4, 1.7), 'opens'));
    items.push(item(svg(14, (add) => add('path', { d: 'M1 8H13', stroke: css(theme.opens), 'stroke-width': 3 })), 'slides'));
    items.push(item(dot(theme.ink, 2.5), 'stays closed'));
  } else if (options.openings && show.hasChanges) {
    items.push(item(ring(theme.opens, 4, 1.7), 'contact has opened'));
  }
  if (show.unloaded && options.arrows && show.hasForces) items.push(item(ring(theme.quiet, 2.5, 1), 'contact without force'));
  if (show.shownCorners().length > 0) {
    items.push(item(svg(12, (add) => add('rect', { x: 3, y: 5, width: 6, height: 6, fill: css(theme.closes) })), 'corner on corner'));
  }
  if (options.mechanism && show.hasMechanism) {
    const outline = svg(18, (add) => add('rect', { x: 1, y: 4, width: 16, height: 8, fill: css(theme.ghost), 'fill-opacity': 0.15, stroke: css(theme.ghost), 'stroke-width': 1.2 }));
    items.push(item(outline, show.data.header.dimension === 3 ? 'before it begins to fall' : 'how it begins to fall'));
  }
  element('legend').replaceChildren(...items);
}

/// The card with the numbers of the selected body.
import { element, made } from './page';
import { quantity } from './scales';
import { length, motionOf, placeOf, turnAngle } from './rows';
import type { Show } from './show';

const kListed = 8;

export class Selection {
  body = -1;
  private readonly card = element('selection');

  constructor(private readonly show: Show, private readonly onChange: (body: number) => void) {
    element('deselect').addEventListener('click', () => this.select(-1));
  }

  select(body: number): void {
    if (body === this.body) return;
    this.body = body;
    this.card.hidden = body < 0;
    this.onChange(body);
    this.update();
  }

  /// The next or the previous one.
  step(by: number): void {
    const count = this.show.data.header.bodies.length;
    if (count > 0) this.select((((this.body < 0 && by < 0 ? 0 : this.body) + by) % count + count) % count);
  }

  update(): void {
    if (this.body < 0) return;
    const { header } = this.show.data;
    const body = header.bodies[this.body];
    element('selected-name').textContent = body.name;
    const rows: [string, string][] = [['Material', header.materials[body.material]?.name ?? '–']];
    if (body.mass !== undefined) rows.push(['Mass', quantity(body.mass, 4)]);
    if (body.fixed) rows.push(['', body.plane ? `half ${header.dimension === 3 ? 'space' : 'plane'}, fixed` : 'fixed']);
    if (this.show.isFrozen(this.body)) rows.push(['', 'frozen']);
    if (body.driven) rows.push(['', 'on a given path']);
    // What is rounding, compared with the scene, reads as zero.
    const clean = (value: number, size: number): number => (Math.abs(value) > 1e-9 * size ? value : 0);
    const { typical, topSpeed } = this.show;
    const listed = (v: readonly number[], size: number, digits = 3): string =>
      v.slice(0, header.dimension).map((x) => quantity(clean(x, size), digits)).join(', ');
    if (!body.plane) {
      const angle = turnAngle(this.show.poses, this.body, header.dimension);
      rows.push(['Position', listed(placeOf(this.show.poses, this.body, header.dimension), typical, header.dimension === 3 ? 3 : 4)],
        [header.dimension === 3 ? 'Turned by' : 'Angle', `${quantity(clean((angle * 180) / Math.PI, 1), 3)}°`]);
    }
    if (!body.fixed && this.show.data.motion.frames > 1) {
      const { velocity, spin } = this.show.velocity(this.body);
      rows.push(['Velocity', listed(velocity, topSpeed)], ['Speed', quantity(clean(length(velocity), topSpeed))],
        ['Spin', header.dimension === 3 ? listed(spin, topSpeed / typical) : quantity(clean(spin[2], topSpeed / typical))]);
    }
    const motion = this.show.verdict?.mechanism.find((entry) => entry[0] === this.body);
    if (motion) {
      const { velocity, spin } = motionOf(motion, header.dimension);
      rows.push(['Begins with', listed(velocity, 1)],
        ['Turning', header.dimension === 3 ? listed(spin, 1 / typical) : quantity(clean(spin[2], 1 / typical))]);
    }
    element('selected-numbers').replaceChildren(...rows.flatMap(([name, value]) => [made('dt', name), made('dd', value)]));
    this.listForces();
  }

  private listForces(): void {
    const { header } = this.show.data;
    const own = this.show.forces
      .filter((force) => (force.a === this.body || force.b === this.body) && force.size > 1e-9 * this.show.reference)
      .sort((a, b) => b.size - a.size);
    const nameOf = (thing: number): string => (thing < 0 ? 'world' : header.bodies[thing]?.name ?? 'framework');
    const items = own.slice(0, kListed).map((force) => {
      const item = made('li');
      item.append(made('span', nameOf(force.a === this.body ? force.b : force.a)), made('span', quantity(force.size)));
      return item;
    });
    if (own.length > kListed) items.push(made('li', `and ${own.length - kListed} more`));
    element('selected-forces').replaceChildren(...items);
    element('selected-forces-title').hidden = items.length === 0;
  }
}

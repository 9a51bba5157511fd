/// The numbers of the selected body.
import { bodyName, frictionOf, without, type Body, type SceneDocument } from './document';
import { button, h, icons } from './dom';
import { frictionField, numberField, type NumberField } from './fields';
import { angleOf, movedBody, poseOf } from './geometry';
import { parsePoint, point, Rational } from './rational';
import { turnedTo } from './shapes';

export interface BodyPanelCallbacks {
  change(body: Body): void;
  friction(value: Rational, done: boolean): void;
  remove(): void;
  duplicate(): void;
}

const positive = (value: Rational): boolean => value.sign > 0;

export class BodyPanel {
  private body: Body = {};
  private readonly title = h('h2', {});
  private readonly x: NumberField;
  private readonly y: NumberField;
  private readonly width: NumberField;
  private readonly height: NumberField;
  private readonly radius: NumberField;
  private readonly angle: NumberField;
  private readonly friction: NumberField;
  private readonly fixed = h('input', { type: 'checkbox', id: 'body-fixed' });
  private readonly fixedLabel = h('label', { class: 'field check', for: 'body-fixed' }, this.fixed, h('span', {}, 'Fixed: never moves'));
  readonly element: HTMLElement;

  constructor(callbacks: BodyPanelCallbacks) {
    const change = (body: Body): void => callbacks.change(body);
    const position = (): { x: Rational; y: Rational } => poseOf(this.body).position;
    const box = (): { x: Rational; y: Rational } => parsePoint(this.body.box) ?? point(Rational.one, Rational.one);
    this.x = numberField('x', (value) => change(movedBody(this.body, point(value, position().y))));
    this.y = numberField('y', (value) => change(movedBody(this.body, point(position().x, value))));
    this.width = numberField('Width', (value) => change({ ...this.body, box: [value.written, box().y.written] }), positive);
    this.height = numberField('Height', (value) => change({ ...this.body, box: [box().x.written, value.written] }), positive);
    this.radius = numberField('Radius', (value) => change({ ...this.body, disk: value.written }), positive);
    this.angle = numberField('Angle °', (value) => change(turnedTo(this.body, value.value)));
    this.friction = frictionField('Friction', (value, done) => callbacks.friction(value, done));
    this.fixed.addEventListener('change', () =>
      change(this.fixed.checked ? { ...without(this.body, 'velocity', 'spin'), fixed: true } : without(this.body, 'fixed')));
    this.element = h('section', { class: 'card body', 'aria-label': 'Selected body' },
      this.title,
      h('div', { class: 'fields' }, ...[this.x, this.y, this.width, this.height, this.radius, this.angle].map((f) => f.element)),
      this.friction.element,
      this.fixedLabel,
      h('div', { class: 'row' },
        button('Duplicate (Ctrl+D)', icons.copy, () => callbacks.duplicate(), 'Duplicate'),
        button('Delete (Del)', icons.remove, () => callbacks.remove(), 'Delete')));
    this.element.hidden = true;
  }

  show(document: SceneDocument, index: number): void {
    const body = document.bodies[index];
    this.element.hidden = body === undefined;
    if (!body) return;
    this.body = body;
    this.title.textContent = bodyName(body, index);
    const { position } = poseOf(body);
    this.x.show(position.x.text);
    this.y.show(position.y.text);
    const size = parsePoint(body.box);
    if (size) {
      this.width.show(size.x.text);
      this.height.show(size.y.text);
    }
    this.radius.show(String(body.disk ?? ''));
    this.angle.show(String(Math.round(1000 * angleOf(body)) / 1000 || 0));
    this.friction.show(frictionOf(document, body));
    this.fixed.checked = body.fixed === true || body.plane !== undefined;
    const hide = (hidden: boolean, ...elements: HTMLElement[]): void => elements.forEach((e) => { e.hidden = hidden; });
    hide(!size, this.width.element, this.height.element);
    hide(body.disk === undefined, this.radius.element);
    hide(body.plane !== undefined, this.x.element, this.y.element, this.angle.element, this.fixedLabel);
    hide(body.plane !== undefined || body.disk !== undefined, this.angle.element);
  }
}

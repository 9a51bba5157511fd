import { describe, expect, it, vi } from 'vitest';
import type { Reply, Request } from '../../src/engine/answers';
import { Engine, EngineTrouble, Refused, type WorkerLike } from '../../src/engine/engine';
import { addBody, frictionOf, readDocument, removeBody, withBodyFriction, withFriction } from '../../src/playground/document';
import { History } from '../../src/playground/history';
import { Rational } from '../../src/playground/rational';
import { fromFragment, toFragment } from '../../src/playground/share';

describe('history', () => {
  it('goes back and forth, and forgets what was undone when something new happens', () => {
    const history = new History('a');
    history.push('b');
    history.push('c');
    expect(history.undo()).toBe('b');
    expect(history.redo()).toBe('c');
    expect([history.undo(), history.undo(), history.undo()]).toEqual(['b', 'a', 'a']);
    history.push('d');
    expect(history.canRedo).toBe(false);
    expect(history.redo()).toBe('d');
    expect(history.undo()).toBe('a');
  });

  it('keeps no more than it is allowed to', () => {
    const history = new History(0, 3);
    for (let i = 1; i < 10; ++i) history.push(i);
    for (let i = 0; i < 10; ++i) history.undo();
    expect(history.current).toBe(6);
  });
});

describe('documents', () => {
  const scene = readDocument(`{"materials":{"default":{"friction":"1/2"},"oak":{"density":2,"friction":0.1}},
    "bodies":[{"box":[1,1]},{"name":"b","material":"oak"},{"box":[2,2]}],
    "joints":[{"bodies":["body 0","world"]},{"bodies":["b","world"]}],"ignore":[["b","body 2"]],"loads":[{"name":"l","body":"b"}]}`);

  it('lose with a body all that names it, and no other body changes its name', () => {
    const rest = removeBody(scene, 1);
    expect(rest.bodies).toEqual([{ name: 'body 0', box: [1, 1] }, { name: 'body 2', box: [2, 2] }]);
    expect(rest.joints).toEqual([{ bodies: ['body 0', 'world'] }]);
    expect([rest.ignore, rest.loads]).toEqual([[], []]);
  });

  it('give new bodies names of their own', () => {
    expect(addBody(addBody(scene, { name: 'b' }), { name: 'b 7' }).bodies.map((body) => body.name).slice(3)).toEqual(['b 2', 'b 3']);
  });

  it('set friction of all, or of one body alone', () => {
    const all = withFriction(scene, Rational.of(3, 10));
    expect(all.bodies.map((body) => frictionOf(all, body))).toEqual(['0.3', '0.3', '0.3']);
    const one = withBodyFriction(withBodyFriction(scene, 1, Rational.of(1, 5)), 1, Rational.of(1, 3));
    expect(one.bodies.map((body) => frictionOf(one, body))).toEqual(['1/2', '1/3', '1/2']);
    expect(one.materials).toEqual({
      default: { friction: '1/2' }, oak: { density: 2, friction: 0.1 }, 'oak, friction 1/3': { density: 2, friction: '1/3' },
    });
  });
});

describe('share links', () => {
  it('give back the same text, whatever it holds', async () => {
    for (const text of ['', '{"name":"Süß – ✓ <script>"}', 'x'.repeat(100_000)]) {
      const fragment = await toFragment(text);
      expect(fragment).toMatch(/^#scene=[\w-]*$/);
      expect(await fromFragment(fragment)).toBe(text);
    }
    expect(await fromFragment('#elsewhere')).toBeUndefined();
  });

  it('say that they are damaged', async () => {
    const whole = await toFragment('{"bodies":[]}'.repeat(50));
    for (const bad of ['#scene=%%%', '#scene=AAAA', whole.slice(0, -8)]) {
      await expect(fromFragment(bad), bad).rejects.toThrow(/damaged/);
    }
  });

  it('do not unfold without end', async () => {
    await expect(toFragment(' '.repeat(20 << 20)).then(fromFragment)).rejects.toThrow(/too large/);
  });
});

/// A worker that answers when told to.
class FakeWorker implements WorkerLike {
  static made: FakeWorker[] = [];
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror = null;
  asked: Request[] = [];
  ended = false;
  constructor() {
    FakeWorker.made.push(this);
  }
  postMessage(message: Request): void {
    this.asked.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(reply: Partial<Reply>): void {
    this.onmessage?.({ data: { id: this.asked.at(-1)!.id, took: 1, ...reply } } as MessageEvent<Reply>);
  }
}

describe('the engine', () => {
  it('drops checks that are overtaken before they begin, but not their wish for an outline', async () => {
    FakeWorker.made = [];
    const engine = new Engine(() => new FakeWorker());
    const first = engine.check('1', 0);
    const second = engine.check('2', 1);
    const third = engine.check('3', 2);
    const [worker] = FakeWorker.made;
    expect(await second).toBeUndefined();
    worker.answer({ answer: { bodies: 1 } });
    expect(await first).toEqual({ bodies: 1 });
    expect(worker.asked.map((request) => request.question)).toEqual([
      { kind: 'check', text: '1', wishes: 0 }, { kind: 'check', text: '3', wishes: 3 }]);
    worker.answer({ refusal: { place: 'p', found: 'f', expected: 'e', message: 'm' } });
    await expect(third).rejects.toThrow(Refused);
  });

  it('ends a worker that takes too long, says so, and goes on with a new one', async () => {
    vi.useFakeTimers();
    FakeWorker.made = [];
    const engine = new Engine(() => new FakeWorker(), { patience: 1000 });
    const slow = engine.check('slow', 0);
    const failed = expect(slow).rejects.toThrow(EngineTrouble);
    const next = engine.galleryScene('tower');
    await vi.advanceTimersByTimeAsync(30_000);
    await failed;
    expect(FakeWorker.made.map((worker) => worker.ended)).toEqual([true, false]);
    FakeWorker.made[1].answer({ answer: { text: 'scene' } });
    expect(await next).toBe('scene');
    vi.useRealTimers();
  });

  it('goes on with a new worker when one breaks', async () => {
    FakeWorker.made = [];
    const engine = new Engine(() => new FakeWorker());
    const broken = engine.check('a', 0);
    FakeWorker.made[0].answer({ broken: 'unreachable' });
    await expect(broken).rejects.toThrow(/unreachable/);
    void engine.check('b', 0).catch(() => {});
    expect(FakeWorker.made).toHaveLength(2);
  });
});

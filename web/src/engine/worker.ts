/// The worker that holds the engine. One question after another; each gets one reply.
import createEngine, { type EngineModule } from '../../../build/wasm/engine.mjs';
import { kQuick, type MotionAccount, type MotionFrame, type Question, type Refusal, type Reply, type Request } from './answers';

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

class Bindings {
  constructor(private readonly engine: EngineModule) {}

  answer(question: Question): unknown {
    switch (question.kind) {
      case 'gallery':
        return this.read(this.engine._collapse_gallery());
      case 'scene':
        return this.withTexts([question.name, JSON.stringify(question.options)], ([name, options]) =>
          this.read(this.engine._collapse_gallery_scene(name, options)));
      case 'check':
        return this.withTexts([question.text], ([text]) => this.read(this.engine._collapse_check(text, question.wishes)));
      case 'begin':
        return this.withTexts([question.text], ([text]) => this.frame(this.engine._collapse_motion_begin(text)));
      case 'step':
        return this.frame(this.engine._collapse_motion_step(question.count));
    }
  }

  private frame(pointer: number): MotionFrame {
    const account = this.read(pointer) as MotionAccount;
    const copy = (at: number, count: number): Float64Array => this.engine.HEAPF64.slice(at / 8, at / 8 + count);
    return {
      account,
      poses: copy(this.engine._collapse_motion_poses(), this.engine._collapse_motion_pose_count()),
      forces: copy(this.engine._collapse_motion_forces(), this.engine._collapse_motion_force_count()),
    };
  }

  private read(pointer: number): unknown {
    if (pointer === 0) throw new Error('out of memory');
    const text = this.engine.UTF8ToString(pointer);
    this.engine._free(pointer);
    const answer = JSON.parse(text) as { error?: Refusal };
    if (answer.error) throw new Refused(answer.error);
    return answer;
  }

  /// The engine sees texts only as long as `use` runs.
  private withTexts<T>(texts: readonly string[], use: (pointers: number[]) => T): T {
    const pointers = texts.map((text) => {
      const bytes = this.engine.lengthBytesUTF8(text) + 1;
      const pointer = this.engine._malloc(bytes);
      if (pointer === 0) throw new Error('out of memory');
      this.engine.stringToUTF8(text, pointer, bytes);
      return pointer;
    });
    const result = use(pointers);
    for (const pointer of pointers) this.engine._free(pointer);
    return result;
  }
}

/// The browser compiles the engine twice: quickly, and well while it runs. A tower or two make it run before anyone waits.
function warmUp(bindings: Bindings): void {
  const towers: Record<string, string>[] = [{ bricks: '100' }, { bricks: '100', friction: '1/2' }];
  for (const options of towers) {
    const { text } = bindings.answer({ kind: 'scene', name: 'tower', options }) as { text: string };
    for (let i = 0; i < 4; ++i) bindings.answer({ kind: 'check', text, wishes: kQuick });
  }
}

const waiting: Request[] = [];
let bindings: Bindings | undefined;

function reply(request: Request): void {
  const began = performance.now();
  const message: Reply = { id: request.id, took: 0 };
  try {
    message.answer = bindings!.answer(request.question);
  } catch (error) {
    if (error instanceof Refused) message.refusal = error.refusal;
    else message.broken = error instanceof Error ? error.message : String(error);
  }
  message.took = performance.now() - began;
  postMessage(message);
}

onmessage = (event: MessageEvent<Request>) => {
  if (bindings) reply(event.data);
  else waiting.push(event.data);
};

createEngine({ print: () => {}, printErr: () => {} }).then(
  (engine) => {
    bindings = new Bindings(engine);
    for (const request of waiting.splice(0)) reply(request);
    setTimeout(() => warmUp(bindings!), 0);
  },
  (error: unknown) => postMessage({ id: -1, took: 0, broken: `the engine does not start: ${String(error)}` } satisfies Reply),
);

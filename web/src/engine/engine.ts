/// The engine as the page sees it: questions with promises for answers, in a worker that can be stopped.
///
/// - A check that is overtaken by a newer one before it begins is dropped (`undefined`): while one drags, only the
///   latest place matters.
/// - A question that takes too long ends the worker; a new one takes its place, and the question is answered by
///   `EngineTrouble`. The page never waits in vain and never freezes.
import type { Check, GalleryEntry, MotionFrame, Question, Refusal, Reply, Request } from './answers';

/// The scene cannot be used.
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/// The engine took too long or broke; a new one has been started.
export class EngineTrouble extends Error {}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/// Just what the engine needs of a worker, so that tests can bring their own.
export interface WorkerLike {
  postMessage(message: Request): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface EngineOptions {
  /// Milliseconds that a question may take, once the worker has got it.
  patience?: number;
  /// Told how long the engine worked on each check.
  onCheck?(milliseconds: number): void;
}

/// The first question waits for the engine to start, too.
const kStartPatience = 20_000;

export class Engine {
  private worker: WorkerLike | undefined;
  private started = false;
  private nextId = 0;
  /// What the worker is working on.
  private current: (Waiting & { request: Request; timer: ReturnType<typeof setTimeout> }) | undefined;
  private readonly queue: (Waiting & { question: Question })[] = [];
  private readonly patience: number;

  constructor(private readonly makeWorker: () => WorkerLike, private readonly options: EngineOptions = {}) {
    this.patience = options.patience ?? 8000;
  }

  async gallery(): Promise<GalleryEntry[]> {
    return ((await this.ask({ kind: 'gallery' })) as { scenes: GalleryEntry[] }).scenes;
  }

  async galleryScene(name: string, options: Record<string, string> = {}): Promise<string> {
    return ((await this.ask({ kind: 'scene', name, options })) as { text: string }).text;
  }

  /// Nothing if a newer check took its place. Throws Refused or EngineTrouble, as all do.
  async check(text: string, wishes: number): Promise<Check | undefined> {
    const overtaken = this.queue.findIndex((entry) => entry.question.kind === 'check');
    if (overtaken >= 0) {
      const [dropped] = this.queue.splice(overtaken, 1);
      // An outline that someone waited for is asked for again by the newer one.
      if (dropped.question.kind === 'check') wishes |= dropped.question.wishes & 1;
      dropped.resolve(undefined);
    }
    return (await this.ask({ kind: 'check', text, wishes })) as Check | undefined;
  }

  async beginMotion(text: string): Promise<MotionFrame> {
    return (await this.ask({ kind: 'begin', text })) as MotionFrame;
  }

  async stepMotion(count: number): Promise<MotionFrame> {
    return (await this.ask({ kind: 'step', count })) as MotionFrame;
  }

  /// Whether anything is being worked on.
  get busy(): boolean {
    return this.current !== undefined;
  }

  private ask(question: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.queue.push({ question, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current || this.queue.length === 0) return;
    const { question, resolve, reject } = this.queue.shift()!;
    const request: Request = { id: this.nextId++, question };
    const patience = this.started ? this.patience : this.patience + kStartPatience;
    const timer = setTimeout(
      () => this.replace(`stopped after ${Math.round(patience / 1000)} s: this scene takes too long for the playground`),
      patience,
    );
    this.current = { request, resolve, reject, timer };
    this.ready().postMessage(request);
  }

  private ready(): WorkerLike {
    if (this.worker) return this.worker;
    const worker = this.makeWorker();
    worker.onmessage = (event) => this.receive(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.replace(`the engine broke: ${event.message || 'it could not be started'}`);
    };
    this.worker = worker;
    return worker;
  }

  private receive(reply: Reply): void {
    if (reply.broken !== undefined) {
      this.replace(`the engine broke: ${reply.broken}`);
      return;
    }
    if (reply.id !== this.current?.request.id) return;
    const { resolve, reject, timer, request } = this.current;
    clearTimeout(timer);
    this.started = true;
    this.current = undefined;
    if (request.question.kind === 'check') this.options.onCheck?.(reply.took);
    if (reply.refusal) reject(new Refused(reply.refusal));
    else resolve(reply.answer);
    this.next();
  }

  /// Ends the worker and what it is working on; the rest of the queue goes to a new one.
  private replace(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.started = false;
    const current = this.current;
    this.current = undefined;
    if (current) {
      clearTimeout(current.timer);
      current.reject(new EngineTrouble(why));
    }
    this.next();
  }
}

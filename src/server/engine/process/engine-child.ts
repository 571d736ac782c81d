import type { EngineModels } from '#server/core/models/model-ports.ts'
import type { EngineLibrary } from '#server/core/queue/engine-ports.ts'
import { LoadedModels } from '#server/engine/models/loaded-models.ts'
import { NodeModels } from '#server/engine/models/node-models.ts'
import { engineFaultOf } from '#server/engine/node-fault.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { watchThisProcess } from '#server/processes/watch.ts'
import type { ChildOptions, LibraryQuestion, ToChild, ToServer } from './messages.ts'
import { runNode } from './run-node.ts'

type Answer = Extract<ToChild, { kind: 'answer' }>

type Answering = Pick<EngineLibrary, 'image' | 'metadata'> & Pick<EngineModels, 'find'>

/** Forwards queries of nodes for images and models to the server process. */
class LibraryQuestions implements Answering {
  readonly #ask: (question: number, ask: LibraryQuestion) => void
  readonly #open = new Map<number, (answer: Answer) => void>()
  #last = 0

  constructor(ask: (question: number, ask: LibraryQuestion) => void) {
    this.#ask = ask
  }

  image(imageName: string): ReturnType<EngineLibrary['image']> {
    return this.#answerTo({ method: 'image', imageName }) as ReturnType<EngineLibrary['image']>
  }

  metadata(imageName: string): ReturnType<EngineLibrary['metadata']> {
    return this.#answerTo({ method: 'metadata', imageName }) as ReturnType<
      EngineLibrary['metadata']
    >
  }

  find(keyOrName: string): ReturnType<EngineModels['find']> {
    return this.#answerTo({ method: 'model', keyOrName }) as ReturnType<EngineModels['find']>
  }

  answer(answer: Answer): void {
    this.#open.get(answer.question)?.(answer)
    this.#open.delete(answer.question)
  }

  async #answerTo(ask: LibraryQuestion): Promise<unknown> {
    this.#last += 1
    const question = this.#last
    const { value, error } = await new Promise<Answer>((resolve) => {
      this.#open.set(question, resolve)
      this.#ask(question, ask)
    })
    if (error !== null) throw new Error(error)
    return value
  }
}

/** Entry point of the node process, which the server starts and stops. */

setUpSharp()
const { options, started } = watchThisProcess<ChildOptions>()
const send = (message: ToServer) => process.send?.(message)

const library = new LibraryQuestions((question, ask) => send({ kind: 'question', question, ask }))
const loaded = new LoadedModels(options.modelMemoryBytes, (news) => send({ kind: 'model', news }))
const models = new NodeModels(library, loaded)
const running = new Map<number, AbortController>()

const start = async ({ run, node }: Extract<ToChild, { kind: 'run' }>) => {
  const aborting = new AbortController()
  running.set(run, aborting)
  try {
    // A node could block this thread before the memory watcher runs. Then nothing would end the process.
    await started
    const result = await runNode(node, {
      ...options,
      library,
      models,
      signal: aborting.signal,
      onProgress: (progress) => send({ kind: 'progress', run, progress }),
    })
    send({ kind: 'done', run, result })
  } catch (error) {
    send({ kind: 'failed', run, fault: engineFaultOf(error) })
  } finally {
    running.delete(run)
  }
}

const answerCall = async ({ call, ask }: Extract<ToChild, { kind: 'call' }>) => {
  try {
    if (ask.method === 'empty') await loaded.empty()
    else await loaded.use(ask.model, async () => undefined)
    send({ kind: 'called', call, fault: null })
  } catch (error) {
    send({ kind: 'called', call, fault: engineFaultOf(error) })
  }
}

process.on('message', (message: ToChild) => {
  if (message.kind === 'run') void start(message)
  else if (message.kind === 'call') void answerCall(message)
  else if (message.kind === 'abort') running.get(message.run)?.abort()
  else library.answer(message)
})

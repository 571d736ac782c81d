import type { EngineLibrary } from '#server/core/engine-ports.ts'
import type { EngineModels } from '#server/core/model-ports.ts'
import type { LibraryQuestion, ToChild } from './messages.ts'

type Answer = Extract<ToChild, { kind: 'answer' }>

type Answering = Pick<EngineLibrary, 'image' | 'metadata'> & Pick<EngineModels, 'find'>

/** The library and the models as the process that runs nodes sees them: each question goes to the server and back. */
export class LibraryQuestions implements Answering {
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

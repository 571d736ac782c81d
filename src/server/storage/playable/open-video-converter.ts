import type { RefusalCode } from '#contract/refusal.ts'
import type { VideoConverter } from '#server/core/images/playable-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { CallableProcess, type ChildEnd } from '#server/processes/callable-process.ts'

export interface ConvertMethods {
  convert(from: string, to: string): Promise<void>
}

/** Limits of a process that converts a video; tests set lower ones. */
const converterLimits = {
  /** 2160p ProRes takes about 1 GB. */
  memoryBytes: 1_500_000_000,
  /** Time for each video, in milliseconds, and for each millisecond that it plays. */
  ms: 60_000,
  msPerMs: 30,
}

/** Starts a process with low priority for each video, and ends it when the video is converted. */
export const openVideoConverter = (
  limits: Partial<typeof converterLimits> = {},
): VideoConverter => {
  const { memoryBytes, ms, msPerMs } = { ...converterLimits, ...limits }
  return {
    convert: async (from, to, { durationMs, onProgress, signal }) => {
      const child = new CallableProcess<ConvertMethods>({
        entry: { name: 'convert-child', beside: import.meta.url },
        options: {},
        maxMemoryBytes: memoryBytes,
        maxLaterMs: ms + msPerMs * durationMs,
        handlers: {},
        errorOf: ({ name, code, message }) =>
          name === 'Refusal' ? new Refusal(code as RefusalCode, message) : new Error(message),
        onEnd: (end) => failureOf(end),
      })
      try {
        await child.call('convert', [from, to], { onProgress, signal })
      } finally {
        await child.close()
      }
    },
  }
}

const reasons = {
  memory: 'Converting this video takes more memory than this server allows.',
  time: 'Converting this video takes more time than this server allows.',
}

const failureOf = ({ limit, code, signal, lastWords }: ChildEnd): Refusal => {
  const cause = new Error(
    `The process that converts videos ended (${signal ?? code}). ${lastWords}`,
  )
  return new Refusal('conversion_failed', limit === null ? undefined : reasons[limit], { cause })
}

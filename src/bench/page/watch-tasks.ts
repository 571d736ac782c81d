import type { Page } from '@playwright/test'
import type { Figure } from '#bench/figures.ts'

/** A complete event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  dur?: number
  /** The processor time of the thread. */
  tdur?: number
  args: { data?: { type?: string } }
}

/** Tasks of all threads, and the scripts and events of the page. */
const CATEGORIES = ['toplevel', 'devtools.timeline']
const TASK = 'ThreadControllerImpl::RunTask'

/**
 * Watches the tasks of a page's main thread by Chromium's trace. The processor time of a task is what the page can
 * change: on few cores, a task also waits for the server and for the rest of the browser.
 *
 * @param event - Only tasks after this event count. Default: all. Chromium itself spends a long task on thousands of
 * chosen files.
 * @returns A function that stops and returns two figures: the longest time and the most processor time of any task.
 * Their names end with `of`.
 */
export async function watchTasks(page: Page, event?: string) {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as never[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  })
  return async (of: string): Promise<Figure[]> => {
    const completed = new Promise<unknown>((resolve) =>
      session.once('Tracing.tracingComplete', resolve),
    )
    await session.send('Tracing.end')
    await completed
    await session.detach()
    const ofPage = mainThreadOf(events)
    const since = event === undefined ? 0 : timeOf(event, ofPage)
    const tasks = ofPage.filter(({ name, ts }) => name === TASK && ts >= since)
    // Not `Math.max(...)`: a minute has more tasks than a call may have arguments.
    const most = (key: 'dur' | 'tdur') =>
      tasks.reduce((found, task) => Math.max(found, task[key] ?? 0), 0) / 1000
    return [
      { name: `longest task ${of}`, value: most('dur'), unit: 'ms', mark: '50' },
      { name: `most processor time of a task ${of}`, value: most('tdur'), unit: 'ms' },
    ]
  }
}

/** Returns the events of the thread that runs the page's scripts. */
function mainThreadOf(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`)
  const calls = (thread: readonly TraceEvent[]) =>
    thread.filter(({ name }) => name === 'FunctionCall').length
  const [busiest] = [...threads.values()].sort((a, b) => calls(b) - calls(a))
  if (busiest === undefined || calls(busiest) === 0) throw new Error('The page ran no script.')
  return busiest
}

function timeOf(event: string, events: readonly TraceEvent[]): number {
  const found = events.find(
    ({ name, args }) => name === 'EventDispatch' && args.data?.type === event,
  )
  if (found === undefined) throw new Error(`The page handled no "${event}" event.`)
  return found.ts
}

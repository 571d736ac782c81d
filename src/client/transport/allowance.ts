import { LIMIT_WINDOW_MS } from '#contract/limits.ts'

/** Shortest wait, in milliseconds, after the server reported no remaining requests but a wait of zero. */
const SHORTEST_WAIT_MS = 250

/** Requests to leave unused while other clients share the quota, because the last response may be outdated. */
const PLACES_FOR_OTHERS = 2

/** The server's last report: the remaining requests, and when one more becomes available. */
interface Report {
  readonly remaining: number
  readonly at: number
  readonly nextAt: number
  /** Requests that other clients may have sent since the report. */
  readonly margin: number
}

/**
 * Remaining quota of one rate limit in any window of sixty seconds.
 *
 * The stricter of two counts applies. The client's own count includes a request from its start until sixty
 * seconds after its response, because a browser may delay a request before the server sees it. The server's
 * reported count also includes requests of other tabs and scripts.
 */
export class Allowance {
  #quota: number | null = null
  #windowMs = LIMIT_WINDOW_MS
  #inFlight = 0
  #answeredAt: number[] = []
  #report: Report | null = null
  #blockedUntil = 0

  /** Sets the quota per window; null means unlimited. */
  setQuota(quota: number | null, windowMs = LIMIT_WINDOW_MS): void {
    this.#quota = quota
    this.#windowMs = windowMs
  }

  /** Records the server's report: the remaining requests, and the milliseconds until one more is available. */
  report(remaining: number, nextInMs: number, now: number): void {
    const ownCount = this.#inFlight + this.#answeredAt.length
    const isShared = this.#quota !== null && this.#quota - remaining > ownCount
    this.#report = {
      // The server may not have counted requests in flight yet.
      remaining: remaining - this.#inFlight,
      at: now,
      nextAt: now + Math.max(nextInMs, SHORTEST_WAIT_MS),
      margin: isShared ? PLACES_FOR_OTHERS : 0,
    }
  }

  /** Blocks all requests until `time`, after a refusal. */
  blockUntil(time: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, time)
  }

  /**
   * Returns the time when one more request may start while `placesToLeave` stay unused: `now` or earlier if
   * immediately, Infinity if a response must arrive first.
   */
  freeAt(now: number, placesToLeave: number): number {
    return Math.max(
      this.#blockedUntil,
      this.#freeByOwnCount(now, placesToLeave),
      this.#freeByReport(now, placesToLeave),
    )
  }

  /** Counts a request that starts now. */
  start(now: number): void {
    this.#inFlight++
    if (this.#report === null) return
    const isProbe = this.#report.remaining <= this.#report.margin
    // A probe uses the one request that is surely available. Its response reports the others.
    this.#report = isProbe
      ? { ...this.#report, nextAt: now + 1000 }
      : { ...this.#report, remaining: this.#report.remaining - 1 }
  }

  /** Counts the end of a request, with or without a response. */
  finish(now: number): void {
    this.#inFlight--
    this.#answeredAt.push(now)
  }

  #freeByOwnCount(now: number, placesToLeave: number): number {
    if (this.#quota === null) return now
    this.#answeredAt = this.#answeredAt.filter((time) => time + this.#windowMs > now)
    const places = Math.max(this.#quota - placesToLeave, 1)
    const tooMany = this.#inFlight + this.#answeredAt.length + 1 - places
    if (tooMany <= 0) return now
    const last = this.#answeredAt[tooMany - 1]
    return last === undefined ? Number.POSITIVE_INFINITY : last + this.#windowMs
  }

  #freeByReport(now: number, placesToLeave: number): number {
    const report = this.#report
    if (report === null || report.remaining > placesToLeave + report.margin) return now
    // After a full window, every request that the server counted has expired.
    const isOver = now >= report.at + this.#windowMs
    if (isOver) return now
    return report.remaining + 1 > placesToLeave ? report.nextAt : report.at + this.#windowMs
  }
}

/**
 * Seeks in a video as fast as the browser can. While one seek runs, only the last wanted time is kept: the browser would
 * otherwise start again with each one, and show no frame until the pointer rests.
 */
export class Seeker {
  readonly #video: HTMLVideoElement
  #wantedS: number | null = null

  constructor(video: HTMLVideoElement, signal: AbortSignal) {
    this.#video = video
    video.addEventListener('seeked', () => this.#seekOn(), { signal })
  }

  /** True until the frame of the last wanted time is there. */
  get isSeeking(): boolean {
    return this.#wantedS !== null || this.#video.seeking
  }

  seek(timeS: number): void {
    if (this.#video.seeking) this.#wantedS = timeS
    else this.#video.currentTime = timeS
  }

  #seekOn(): void {
    const wantedS = this.#wantedS
    this.#wantedS = null
    if (wantedS !== null) this.#video.currentTime = wantedS
  }
}

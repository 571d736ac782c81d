/** Returns the file name of a frame: `boat 0-03.2.png` for a frame of `boat.mp4`. */
export function frameNameOf(fileName: string, timeS: number): string {
  const stem = fileName.replace(/\.\w{1,5}$/, '')
  const tenths = Math.floor(timeS * 10 + 0.01)
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, tenths % 600]
  const minutes = h > 0 ? `${h}-${String(m).padStart(2, '0')}` : String(m)
  return `${stem} ${minutes}-${(s / 10).toFixed(1).padStart(4, '0')}.png`
}

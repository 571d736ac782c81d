import { constants, setPriority } from 'node:os'
import { serveCalls, watchThisProcess } from '#server/processes/watch.ts'
import { convertVideo } from './convert-video.ts'
import type { ConvertMethods } from './open-video-converter.ts'

/** Entry point of the process that converts a video. The server starts and ends it. */

const { started, timedLater } = watchThisProcess<object>()
setPriority(constants.priority.PRIORITY_LOW)

serveCalls<ConvertMethods>(started, {
  convert: ([from, to], { report }) => {
    let reported = 0
    return timedLater(() =>
      convertVideo(from, to, (share) => {
        const percent = Math.floor(share * 100)
        if (percent <= reported) return
        reported = percent
        void report(percent / 100)
      }),
    )
  },
})

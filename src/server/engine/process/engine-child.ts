import { LoadedModels } from '#server/engine/models/loaded-models.ts'
import { withModelOf } from '#server/engine/models/node-models.ts'
import type { Calls } from '#server/processes/calls.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { serveCalls, watchThisProcess } from '#server/processes/watch.ts'
import type { ChildOptions, NodeMethods, ServerMethods } from './messages.ts'
import { runNode } from './run-node.ts'

/** Entry point of the node process, which the server starts and stops. */

setUpSharp()
const { options, started } = watchThisProcess<ChildOptions>()

const server: Calls<ServerMethods, NodeMethods> = serveCalls<NodeMethods, ServerMethods>(started, {
  run: ([node], { signal, report }) =>
    runNode(node, {
      ...options,
      library,
      withModel,
      signal,
      onProgress: (progress) => void report(progress),
    }),
  loadModel: ([model]) => loaded.use(model, async () => undefined),
  emptyModels: () => loaded.empty(),
})

const library = {
  image: (imageName: string) => server.call('image', imageName),
  openFile: (imageName: string) => server.call('openFile', imageName),
  metadata: (imageName: string) => server.call('metadata', imageName),
}
const loaded = new LoadedModels(
  options.modelMemoryBytes,
  (news) => void server.call('report', news),
)
const withModel = withModelOf({ find: (keyOrName) => server.call('find', keyOrName) }, loaded)

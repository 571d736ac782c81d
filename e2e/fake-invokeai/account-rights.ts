import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Board } from '#client/boards/board.ts'
import type { TesseraClient } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { Account, Accounts } from './accounts.ts'
import { userOf } from './auth-routes.ts'
import { type Fields, isInternal } from './internal-requests.ts'

class Forbidden extends Error {
  readonly statusCode = 403
}

/** The permissions of an account, which follow from owners and from the visibility of boards. */
class Rights {
  readonly #owners: ReadonlyMap<string, string>
  readonly #boards: ReadonlyMap<string, Board>
  readonly #user: Account

  constructor(owners: ReadonlyMap<string, string>, boards: readonly Board[], user: Account) {
    this.#owners = owners
    this.#boards = new Map(boards.map((board) => [board.board_id, board]))
    this.#user = user
  }

  owns(name: string): boolean {
    return this.#user.is_admin || this.#owners.get(name) === this.#user.user_id
  }

  maySeeBoard(boardId: string): boolean {
    const visibility = this.#boards.get(boardId)?.board_visibility
    return this.owns(boardId) || (visibility !== undefined && visibility !== 'private')
  }

  mayAddTo(boardId: string): boolean {
    return this.owns(boardId) || this.#boards.get(boardId)?.board_visibility === 'public'
  }

  maySee({ image_name, board_id }: ImageRecord): boolean {
    return this.owns(image_name) || (board_id !== null && this.maySeeBoard(board_id))
  }

  mayChange({ image_name, board_id }: ImageRecord): boolean {
    return this.owns(image_name) || (board_id !== null && this.mayAddTo(board_id))
  }
}

/** Restricts every account but admins to its own boards and images and to shared ones. */
export function addRights(app: FastifyInstance, accounts: Accounts, client: TesseraClient): void {
  if (!accounts.isMultiUser) return
  const { owners } = accounts
  const rightsOf = async (user: Account) =>
    new Rights(owners, await client.boardOperations.list({ includeArchived: true }), user)

  app.addHook('preHandler', async (request) => {
    const user = userOf(request)
    if (isInternal(request) || user.is_admin) return
    const rights = await rightsOf(user)
    const { board_id: boardId, image_name } = request.params as Record<string, string | undefined>
    if (boardId !== undefined) assertBoard(rights, boardId, request.method)
    if (isListing(request)) return
    const body = (request.body ?? {}) as Fields
    const { url = '' } = request.routeOptions
    const isRead = ['GET', 'HEAD'].includes(request.method) || url.endsWith('/download')
    const target = (request.query as Fields).board_id ?? body.board_id
    if (!isRead && typeof target === 'string' && !rights.mayAddTo(target)) {
      throw new Forbidden('Not authorized to add images to this board')
    }
    const names = [image_name, body.image_name, body.image_names].flat()
    const images = await client.images.getMany(names.filter((name) => typeof name === 'string'))
    if (isRead && !images.every((image) => rights.maySee(image))) {
      throw new Forbidden('Not authorized to access this image')
    }
    if (!isRead && !images.every((image) => rights.mayChange(image))) {
      throw new Forbidden('Not authorized to modify this image')
    }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const user = userOf(request)
    const isJson = typeof payload === 'string' && /^[[{]/.test(payload)
    if (isInternal(request) || !isJson || reply.statusCode >= 400) return payload
    const answer = JSON.parse(payload)
    if ([201, 202].includes(reply.statusCode)) rememberOwner(owners, answer, user)
    if (!isListing(request) || user.is_admin) return payload
    const rights = await rightsOf(user)
    const { items: all } = await client.images.page({}, { offset: 0, limit: -1 })
    const hidden = new Set(all.filter((one) => !rights.maySee(one)).map((one) => one.image_name))
    return JSON.stringify(
      visiblePart(answer, (entry) => {
        if (typeof entry === 'string') return !hidden.has(entry)
        const { board_name, board_id, image_name, name } = entry as Record<string, string>
        if (board_name !== undefined) return rights.maySeeBoard(String(board_id))
        return !hidden.has(image_name ?? name ?? '')
      }),
    )
  })
}

/** True for requests that list boards or images. Others than the visible ones are left out. */
const isListing = ({ method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  method === 'GET'
    ? /^\/api\/v1\/(boards|images|gallery\/items)\/$|names$/.test(url)
    : url.endsWith('/images_by_names')

function assertBoard(rights: Rights, boardId: string, method: string): void {
  if (boardId === 'none') return
  if (!rights.maySeeBoard(boardId)) throw new Forbidden('Not authorized to access this board')
  if (method === 'GET' || rights.owns(boardId)) return
  throw new Forbidden(`Not authorized to ${method === 'PATCH' ? 'update' : 'delete'} this board`)
}

function rememberOwner(owners: Map<string, string>, created: Fields, user: Account): void {
  const { board_name, board_id, image_url, image_name, bulk_download_item_name } = created
  // A change of a board also answers 201.
  const name = image_url ? image_name : board_name ? board_id : bulk_download_item_name
  if (typeof name === 'string' && !owners.has(name)) owners.set(name, user.user_id)
}

/** Returns a list, or an object with one, without the entries that the account may not see. */
function visiblePart(answer: unknown, isVisible: (entry: unknown) => boolean): unknown {
  if (Array.isArray(answer)) return answer.filter(isVisible)
  const fields = answer as Fields
  const [key, list] = Object.entries(fields).find(([, value]) => Array.isArray(value)) ?? []
  if (key === undefined || !Array.isArray(list)) return answer
  const visible = list.filter(isVisible)
  const hiddenCount = list.length - visible.length
  const counts = ['total', 'total_count'].flatMap((count) =>
    count in fields ? [[count, Number(fields[count]) - hiddenCount]] : [],
  )
  return { ...fields, [key]: visible, ...Object.fromEntries(counts) }
}

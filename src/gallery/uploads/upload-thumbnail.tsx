import { Image as ImageIcon, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Upload } from './upload.ts'
import { fileOf } from './upload-files.ts'

/** Above this a browser is kept from decoding the whole file for forty pixels. */
const MAX_PREVIEWED_BYTES = 12_000_000

/** The picture of an upload: the server's once it is there, the file's own until then. */
export function UploadThumbnail({ upload }: { upload: Upload }) {
  const { uploadId, thumbnailUrl, bytes, status } = upload
  const previewUrl = usePreview(uploadId, thumbnailUrl === null && status !== 'failed' && bytes)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const url = thumbnailUrl ?? previewUrl
  const isDrawn = url !== null && url !== brokenUrl
  const Icon = status === 'failed' ? TriangleAlert : ImageIcon
  const colours = status === 'failed' ? 'bg-danger-soft text-danger' : 'bg-sunken text-muted'
  return (
    <span
      className={`flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-sm ${colours}`}
    >
      {isDrawn ? (
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          className="size-full object-cover"
          onError={() => setBrokenUrl(url)}
        />
      ) : (
        <Icon aria-hidden size={18} strokeWidth={1.5} />
      )}
    </span>
  )
}

function usePreview(uploadId: string, bytes: number | false): string | null {
  const [url, setUrl] = useState<string | null>(null)
  const isWanted = bytes !== false && bytes <= MAX_PREVIEWED_BYTES
  useEffect(() => {
    const file = isWanted ? fileOf(uploadId) : undefined
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [uploadId, isWanted])
  return url
}

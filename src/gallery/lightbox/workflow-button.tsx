import { Download } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { getWorkflow } from '#gallery/api/metadata-queries.ts'
import { Button } from '#gallery/ui/button.tsx'
import { saveFile } from '#gallery/ui/save-file.ts'
import { showToast } from '#gallery/ui/toast.ts'

/** Downloads what the image can be made again from. */
export function WorkflowButton({ image }: { image: ImageRecord }) {
  const download = async () => {
    try {
      const json = await getWorkflow(image.image_name)
      if (json === null) showToast({ title: 'The file holds no workflow.' })
      else saveFile(`${baseNameOf(image)} workflow.json`, json, 'application/json')
    } catch {
      showToast({
        title: 'The workflow could not be loaded.',
        tone: 'danger',
        action: { label: 'Retry', run: () => void download() },
      })
    }
  }
  return (
    <Button className="mt-3 w-full" onClick={() => void download()}>
      <Download aria-hidden size={16} />
      Download workflow
    </Button>
  )
}

const baseNameOf = ({ file_name, image_name }: ImageRecord): string =>
  (file_name ?? image_name).replace(/\.[^.]+$/, '')

import { useUpscalers } from '#gallery/api/process-models.ts'
import { inputClasses } from '#gallery/ui/input-classes.ts'

interface UpscalerSelectProps {
  id: string
  modelKey: string
  onChoose: (modelKey: string) => void
}

/** The models that the server has for it. */
export function UpscalerSelect({ id, modelKey, onChoose }: UpscalerSelectProps) {
  const upscalers = useUpscalers() ?? []
  const isThere = upscalers.some(({ key }) => key === modelKey)
  return (
    <select
      id={id}
      className={inputClasses}
      value={isThere ? modelKey : ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {!isThere && <option value="">Choose a model</option>}
      {upscalers.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
}

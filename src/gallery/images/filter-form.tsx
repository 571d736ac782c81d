import { Pipette } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { colorIn, colorText } from '#contract/likeness/like-terms.ts'
import type { ChoiceKey } from '#contract/search/search-keys.ts'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useKeyOf } from '#gallery/ui/commands/registry.ts'
import { keyNames } from '#gallery/ui/keys/key-names.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { changeSearch } from '#gallery/url/change-search.ts'
import { STARRED } from '#gallery/url/place.ts'
import {
  BROAD_KINDS,
  filterOfKind,
  filterOfLength,
  type ImageKind,
  kindOf,
  LENGTH_CHOICES,
  lengthOf,
  SINGLE_KINDS,
  VIDEOS,
} from '#gallery/url/place-filter.ts'
import { conditionWithKey, hasChoice, withChoice, withKey } from '#gallery/url/typed-conditions.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

/** The filters of a view. Those of properties are conditions of its search, so that its field shows them too. */
export function FilterForm() {
  const place = usePlace()
  const hasVideos = useCapabilities()?.limits.max_video_bytes !== undefined
  const hasDurations = useHasExtension('video_durations')
  const hasConditions = useHasExtension('search_conditions')
  const canChooseStarred = useHasExtension('starred_filter') && place.board !== STARRED
  const broad = hasVideos ? BROAD_KINDS : BROAD_KINDS.filter((kind) => kind !== VIDEOS)
  const form = useRef<HTMLDivElement>(null)
  // If this form loads after its popup has opened, the popup has the focus.
  useEffect(() => {
    const popup = form.current?.closest('[role=dialog]')
    if (popup && popup === document.activeElement) form.current?.querySelector('select')?.focus()
  }, [])
  return (
    <div ref={form} className="flex w-72 flex-col gap-3 p-2 sheet:w-auto">
      <Field label="Show">
        {(id) => (
          <select
            id={id}
            value={kindOf(place).word}
            onChange={({ target }) => goTo({ ...filterOfKind(target.value), image: null })}
            className={inputClasses}
          >
            <Kinds kinds={broad} />
            <optgroup label="One category">
              <Kinds kinds={SINGLE_KINDS} />
            </optgroup>
          </select>
        )}
      </Field>
      {hasDurations && (
        <Field label="Length of videos">
          {(id) => (
            <select
              id={id}
              value={lengthOf(place).word}
              onChange={({ target }) => goTo({ ...filterOfLength(target.value), image: null })}
              className={inputClasses}
            >
              {LENGTH_CHOICES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {hasConditions && <PropertyFields query={place.query} />}
      {(canChooseStarred || hasConditions) && (
        <div>
          {canChooseStarred && (
            <Switch
              isOn={place.isStarred === true}
              onChange={(isOn) => goTo({ isStarred: isOn || undefined, image: null })}
            >
              Only starred images
            </Switch>
          )}
          {hasConditions &&
            CHOICES.map(({ key, value, label }) => (
              <Switch
                key={value}
                isOn={hasChoice(place.query, key, value)}
                onChange={(isOn) => changeSearch((query) => withChoice(query, key, value, isOn))}
              >
                {label}
              </Switch>
            ))}
        </div>
      )}
    </div>
  )
}

const CHOICES: readonly { key: ChoiceKey; value: string; label: string }[] = [
  { key: 'is', value: 'animated', label: 'Animated' },
  { key: 'has', value: 'workflow', label: 'With a workflow' },
]

const Kinds = ({ kinds }: { kinds: readonly ImageKind[] }) =>
  kinds.map(({ word, label }) => (
    <option key={word} value={word}>
      {label}
    </option>
  ))

interface FieldProps {
  label: string
  children: (id: string) => ReactNode
}

function Field({ label, children }: FieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-muted text-xs">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

const SIDES = ['512', '768', '1024', '1536', '2048', '4096']

/** The fields of properties. A condition that a field cannot show is in it as typed, and stays until another is chosen. */
function PropertyFields({ query }: { query: string }) {
  const hasLikeness = useHasExtension('likeness')
  const size = conditionWithKey(query, 'size')
  const typed = size === null ? '' : query.slice(size.start, size.end)
  const isSide = SIDES.some((side) => typed === atLeast(side))
  return (
    <>
      <Field label="Longer side">
        {(id) => (
          <select
            id={id}
            value={typed}
            onChange={({ target }) => changeSearch((query) => withKey(query, 'size', target.value))}
            className={inputClasses}
          >
            <option value="">Any</option>
            {size !== null && !isSide && <option value={typed}>{typed}</option>}
            {SIDES.map((side) => (
              <option key={side} value={atLeast(side)}>
                At least {side} px
              </option>
            ))}
          </select>
        )}
      </Field>
      {hasLikeness && <ColorField query={query} />}
      <div className="grid grid-cols-2 gap-2">
        <DayField query={query} condition="after" label="Since" />
        <DayField query={query} condition="before" label="Before" />
      </div>
    </>
  )
}

const atLeast = (side: string): string => `size>=${side}`

interface DayFieldProps {
  query: string
  condition: 'after' | 'before'
  label: string
}

/** While a year is typed, the field has years such as 0002. */
const DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/

function DayField({ query, condition, label }: DayFieldProps) {
  const { value = '' } = conditionWithKey(query, condition) ?? {}
  const isDay = DAY.test(value)
  return (
    <Field label={value === '' || isDay ? label : `${label} ${value}`}>
      {(id) => (
        <input
          id={id}
          type="date"
          // Not controlled, because that would lose a year that is being typed.
          defaultValue={isDay ? value : ''}
          onChange={({ target }) => {
            if (target.validity.badInput || (target.value !== '' && !DAY.test(target.value))) return
            const day = target.value
            changeSearch((query) => withKey(query, condition, day && `${condition}:${day}`))
          }}
          className={inputClasses}
        />
      )}
    </Field>
  )
}

const COLORS = [
  ...['red', 'orange', 'yellow', 'green', 'teal', 'cyan', 'blue'],
  ...['purple', 'pink', 'brown', 'black', 'gray', 'white'],
]

/** The first color in the picker of the browser. */
const FIRST_COLOR = [255, 136, 0]

/** Common colors, and any other one by the picker of the browser, which also takes it from an image. */
function ColorField({ query }: { query: string }) {
  const id = useId()
  const { value = '' } = conditionWithKey(query, 'color') ?? {}
  const current = colorIn(value)
  const isNamed = COLORS.includes(value.toLowerCase())
  const key = useKeyOf('viewer.pickColor')
  const hint = key === undefined ? '' : ` (${keyNames(key).join('+')})`
  const choose = (color: string) =>
    changeSearch((before) => withKey(before, 'color', color && `color:${color}`))
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 font-medium text-muted text-xs">Color</legend>
      <div className="grid grid-cols-7 gap-1">
        {COLORS.map((color) => {
          const isOn = color === value.toLowerCase()
          return (
            <button
              key={color}
              type="button"
              aria-label={color}
              title={color}
              aria-pressed={isOn}
              onClick={() => choose(isOn ? '' : color)}
              className={`h-8 rounded border border-line pointer-coarse:h-11 ${isOn ? 'outline-2 outline-accent outline-offset-1' : ''}`}
              style={{ backgroundColor: color }}
            />
          )
        })}
        <label
          htmlFor={id}
          title="Another color"
          className={`relative flex h-8 items-center justify-center rounded border border-line pointer-coarse:h-11 has-focus-visible:outline-2 has-focus-visible:outline-accent ${current && !isNamed ? 'outline-2 outline-accent outline-offset-1' : ''}`}
          style={current && !isNamed ? { backgroundColor: `rgb(${current.join()})` } : {}}
        >
          <Pipette
            aria-hidden
            size={16}
            className={`rounded-full ${current && !isNamed ? 'bg-surface' : ''}`}
          />
          <input
            id={id}
            type="color"
            aria-label="Another color"
            defaultValue={colorText(current ?? FIRST_COLOR)}
            ref={onChosen(choose)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        </label>
      </div>
      <p className="pt-1 text-muted text-xs">
        To use a color of an image, open it and choose “Pick a color”{hint}.
      </p>
    </fieldset>
  )
}

/** React's `onChange` would search for each color on the way through the picker. */
const onChosen = (choose: (color: string) => void) => (input: HTMLInputElement | null) => {
  const report = () => input && choose(input.value)
  input?.addEventListener('change', report)
  return () => input?.removeEventListener('change', report)
}

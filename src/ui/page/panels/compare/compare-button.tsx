/**
 * Selects a call or a delivery for comparison, or compares it with the selected one; the two may be in different lists.
 */
import { draft, here, model } from '../../core/index.js';
import { Button, IconButton } from '../../parts/index.js';

interface Props {
  /** As in the address of the comparison: `request:ID`, `delivery:ID:ATTEMPT`. */
  readonly item: string;
  /** The name that the button shows once it is selected. */
  readonly title: string;
}

export function CompareButton({ item, title }: Props) {
  const marked = draft<Props | null>(`compare/${model.value.key}`, null);
  const other = marked.value;
  const mark = (next: Props | null) => {
    marked.value = next;
  };
  if (other === null || other.item === item) {
    return (
      <Button
        kind="quiet small toggle"
        aria-pressed={other !== null}
        title="Next, open the entry to compare with this one"
        onClick={() => mark(other === null ? { item, title } : null)}
      >
        Select to compare
      </Button>
    );
  }
  return (
    <span class="compare-with">
      <a class="button small" href={here('compare', [other.item, item])} title={other.title} onClick={() => mark(null)}>
        Compare with selected
      </a>
      <IconButton
        icon="close"
        label={`Deselect ${other.title}`}
        kind="small"
        title={`Deselect ${other.title}`}
        onClick={() => mark(null)}
      />
    </span>
  );
}

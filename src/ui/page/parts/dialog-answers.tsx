/** How a form in a dialog ends: given up, or sent. */
interface Props {
  /** What sending it does, in a word. */
  readonly does: string;
  readonly onClose: () => void;
  /** It takes something away. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export function DialogAnswers({ does, onClose, danger = false, disabled = false }: Props) {
  return (
    <footer>
      <button type="button" class="button" onClick={onClose}>
        Cancel
      </button>
      <button type="submit" class={`button ${danger ? 'danger' : 'primary'}`} disabled={disabled}>
        {does}
      </button>
    </footer>
  );
}

/** The buttons of a form in a dialog: cancel and submit. */
interface Props {
  /** The label of the submit button. */
  readonly does: string;
  readonly onClose: () => void;
  /** Whether the action deletes something. */
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

import { Toast } from "@base-ui/react/toast";
import { strings } from "../strings/strings.ts";
import { Icon } from "../ui/icon.tsx";
import "../ui/button.css";
import "../ui/overlays/toasts.css";
import "./toasts.css";

/** What happened a moment ago. The live region has said it already. */
export function Toasts() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts shell-toasts" aria-label={strings.app.notices}>
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast shell-toast">
            <Toast.Content className="shell-toast-content">
              <div className="shell-toast-text">
                <Toast.Title render={<p />} />
                {toast.actionProps !== undefined && <Toast.Action className="button" data-tone="plain" />}
              </div>
              <Toast.Close className="icon-button" aria-label={strings.app.dismiss}>
                <Icon name="close" size={18} />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"retrylab.example/web/server"
	"retrylab.example/web/site"
	"retrylab.example/web/watch"
)

const defaultAddr = "localhost:8080"

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page and labs (what happens without a command)",
		Long: "Serve the page, and under /v1/ the labs, until interrupted. Labs are partners for real clients, which GET\n" +
			"/v1/openapi.json describes; with --data they outlive this program. The program that make build makes holds the\n" +
			"site; any other builds what is missing from the source tree around the working directory. With --lessons the\n" +
			"page also has the lessons of a folder, and follows it: what is saved there shows at once, and faults show with\n" +
			"their places.",
		Example: "  retrylab serve --lessons my-lessons\n" +
			"  retrylab serve --data labs.db\n" +
			"  curl -X POST http://localhost:8080/v1/labs",
	}
	makeServe(cmd)
	return cmd
}

// makeServe gives a command the flags and the deed of serve.
func makeServe(cmd *cobra.Command) {
	addr := cmd.Flags().String("addr", "", "host:port to listen on; \":8080\" is every interface (default: localhost, "+
		"port from the variable PORT or 8080)")
	lessons := cmd.Flags().String("lessons", "", "folder of lesson files to watch; a lesson takes the place of the site's "+
		"with the same id")
	data := cmd.Flags().String("data", "", "file that keeps the labs; without it they are kept in memory")
	only := cmd.Flags().Bool("only", false, "with --lessons: show no other lessons")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		where, err := address(*addr, os.Getenv("PORT"))
		if err != nil {
			return err
		}
		if *only && *lessons == "" {
			return usagef("--only: name a folder with --lessons too")
		}
		return serve(cmd, where, *data, *lessons, *only)
	}
}

// address decides where to listen: the flag, else the variable PORT on this machine only, else the default.
func address(flag, port string) (string, error) {
	if flag == "" && port == "" {
		return defaultAddr, nil
	}
	addr, from := flag, "--addr"
	if flag == "" {
		addr, from = net.JoinHostPort("localhost", port), "PORT"
	}
	_, digits, err := net.SplitHostPort(addr)
	n, notNumber := strconv.Atoi(digits)
	if err != nil || notNumber != nil || n < 0 || n > 65535 {
		return "", usagef("%s: %q is no address; write host:port, such as localhost:8080 or :8080", from, cmp.Or(flag, port))
	}
	return addr, nil
}

func serve(cmd *cobra.Command, addr, data, lessons string, only bool) (err error) {
	// Listening comes first: a taken port is known before half a minute of building.
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use by another program; choose another address with --addr or PORT", addr)
	}
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	defer l.Close()
	if lessons != "" {
		if err := watch.Check(lessons); err != nil {
			return err
		}
	}
	errorLog := log.New(cmd.ErrOrStderr(), "retrylab: ", log.LstdFlags)
	labs, closeLabs, err := openHouse(cmd.Context(), data, errorLog)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLabs()) }()
	built, err := openSite(cmd)
	if err != nil {
		return err
	}
	handler, err := server.New(built)
	if err != nil {
		return err
	}
	if err := handler.Labs(labs); err != nil {
		return err
	}
	if lessons != "" {
		if err := follow(cmd, handler, built, lessons, only); err != nil {
			return err
		}
	}
	if cmd.Context().Err() != nil {
		return nil // interrupted while building
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Retry Lab: http://%s\n", shown(addr, l.Addr()))
	return server.Run(cmd.Context(), l, handler, errorLog)
}

// follow begins to watch a folder of lessons.
func follow(cmd *cobra.Command, s *server.Site, built fs.FS, dir string, only bool) error {
	folder, err := watch.New(dir, built, only)
	if err != nil {
		return err
	}
	if err := s.Watch(folder); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Watching %s: %d lessons without faults.\n", dir, folder.Count())
	go folder.Run(cmd.Context())
	return nil
}

// shown gives the address to print: the host as it was asked for, the port that it really is (":0" means any).
func shown(asked string, real net.Addr) string {
	host, _, _ := net.SplitHostPort(asked)
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(real.String())
	return net.JoinHostPort(host, port)
}

// openSite gives the site in this binary, or builds it from the source tree.
func openSite(cmd *cobra.Command) (fs.FS, error) {
	if built, ok := site.Embedded(); ok {
		return built, nil
	}
	root, err := site.FindRoot(".")
	if errors.Is(err, site.ErrNoSource) {
		return nil, errors.New("this program was built without the site, and there is no source tree here to build it " +
			"from; run it inside a checkout of Retry Lab, or make a complete one there with: make build")
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "Building what is missing (the first time takes a minute) …")
	out := filepath.Join(root, "build", "site")
	if _, err := site.Build(site.Config{Root: root, Out: out}); err != nil {
		return nil, err
	}
	return os.DirFS(out), nil
}
